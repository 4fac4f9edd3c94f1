/// A zip of stored entries with these contents.
enum SmallZip {
  static func of(_ files: [(name: String, text: String)]) -> [UInt8] {
    var (bytes, directory) = ([UInt8](), [UInt8]())
    for file in files {
      let (name, text) = (Array(file.name.utf8), Array(file.text.utf8))
      let size = long(UInt32(text.count))
      let facts = words(20, 0, 0, 0, 0) + long(checksum(text)) + size + size + words(UInt16(name.count), 0)
      directory += [0x50, 0x4B, 1, 2] + words(20) + facts + words(0, 0, 0) + long(0) + long(UInt32(bytes.count)) + name
      bytes += [0x50, 0x4B, 3, 4] + facts + name + text
    }
    let count = UInt16(files.count)
    let end = words(0, 0, count, count) + long(UInt32(directory.count)) + long(UInt32(bytes.count)) + words(0)
    return bytes + directory + [0x50, 0x4B, 5, 6] + end
  }

  private static func words(_ values: UInt16...) -> [UInt8] { values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }
  private static func long(_ value: UInt32) -> [UInt8] { words(UInt16(value & 0xFFFF), UInt16(value >> 16)) }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }
  }
}
