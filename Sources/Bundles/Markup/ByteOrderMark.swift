/// The encodings a text's first bytes can name.
enum ByteOrderMark: String {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"

  /// Nil when the text starts without one.
  static func of(_ bytes: some Collection<UInt8>) -> ByteOrderMark? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
    if bytes.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
    if bytes.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
    return nil
  }
}
