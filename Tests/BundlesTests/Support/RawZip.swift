/// Writes zips byte by byte, for what no zip library agrees to write.
struct RawZip {
  struct Entry {
    var name: [UInt8]
    var data: [UInt8]
    /// 0 stored, 8 deflated.
    var method: UInt16 = 0
    /// What the headers say; nil says the truth of a stored entry.
    var declaredSize: UInt32?
    var checksum: UInt32?
    var flags: UInt16 = 0

    init(_ name: String, _ text: String = "x") {
      self.name = Array(name.utf8)
      data = Array(text.utf8)
    }
  }

  var entries: [Entry]
  /// What the end record says; nil says the truth.
  var declaredCount: UInt16?
  /// Whether a zip64 end record says what the plain one then leaves open.
  var isZip64 = false

  init(_ entries: [Entry]) { self.entries = entries }

  var bytes: [UInt8] {
    var body: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = UInt32(body.count)
      let common = commonFields(entry)
      body += u32(0x0403_4B50) + common + u16(0) + entry.name + entry.data
      directory += u32(0x0201_4B50) + u16(20) + common + u16(0) + u16(0) + u16(0) + u16(0) + u32(0) + u32(offset)
      directory += entry.name
    }
    let count = declaredCount ?? UInt16(entries.count)
    let (size, offset) = (UInt32(directory.count), UInt32(body.count))
    body += directory
    guard isZip64 else { return body + end(count: count, size: size, offset: offset) }
    let start = UInt32(body.count)
    body += u32(0x0606_4B50) + u64(44) + u16(45) + u16(45) + u32(0) + u32(0)
    body += u64(UInt32(count)) + u64(UInt32(count)) + u64(size) + u64(offset)
    body += u32(0x0706_4B50) + u32(0) + u64(start) + u32(1)
    return body + end(count: .max, size: .max, offset: .max)
  }

  private func end(count: UInt16, size: UInt32, offset: UInt32) -> [UInt8] {
    u32(0x0605_4B50) + u16(0) + u16(0) + u16(count) + u16(count) + u32(size) + u32(offset) + u16(0)
  }

  /// From the version needed to the name's length, alike in both headers.
  private func commonFields(_ entry: Entry) -> [UInt8] {
    u16(20) + u16(entry.flags) + u16(entry.method) + u16(0) + u16(0x21) + u32(entry.checksum ?? crc32(entry.data))
      + u32(UInt32(entry.data.count)) + u32(entry.declaredSize ?? UInt32(entry.data.count))
      + u16(UInt16(entry.name.count))
  }

  private func u16(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
  private func u64(_ value: UInt32) -> [UInt8] { u32(value) + u32(0) }
  private func u32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 0xFF) } }

  private func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
