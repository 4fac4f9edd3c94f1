import Foundation

/// A zip of stored entries, each an `a`; what it declares of them may be a lie.
enum StoredZip {
  /// `declared` is the size that every entry says to inflate to.
  static func of(_ names: [String], declared: UInt32 = 1) -> Data {
    var files = Data()
    var directory = Data()
    for name in names {
      let facts =
        words(20, 0, 0, 0, 0) + [0x43, 0xBE, 0xB7, 0xE8] + long(1) + long(declared) + words(UInt16(name.utf8.count), 0)
      directory += Data("PK\u{1}\u{2}".utf8) + words(20) + facts + words(0, 0, 0) + long(0) + long(UInt32(files.count))
      directory += Data(name.utf8)
      files += Data("PK\u{3}\u{4}".utf8) + facts + Data((name + "a").utf8)
    }
    let count = UInt16(names.count)
    let end = words(0, 0, count, count) + long(UInt32(directory.count)) + long(UInt32(files.count)) + words(0)
    return files + directory + Data("PK\u{5}\u{6}".utf8) + end
  }

  private static func words(_ values: UInt16...) -> Data {
    Data(values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  }

  private static func long(_ value: UInt32) -> Data { words(UInt16(value & 0xFFFF), UInt16(value >> 16)) }
}
