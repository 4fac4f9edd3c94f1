internal import Core

/// Detection of a text's encoding and of invalid bytes.
package enum TextEncoding {
  /// Returns the charset to announce: that of the byte order mark or the HTML, UTF-8 for valid text, otherwise nil.
  static func charset(of bytes: [UInt8], isHTML: Bool) -> String? {
    if let mark = ByteOrderMark.of(bytes) { return mark.rawValue }
    if isHTML, let declared = CreativeMeta.parse(bytes).charset { return declared }
    return firstInvalidByte(in: bytes) == nil ? ByteOrderMark.utf8.rawValue : nil
  }

  /// Returns the index of the first byte of a document that isn't UTF-8; nil if it is valid or declares another
  /// encoding.
  static func undeclaredInvalidByte(in bytes: [UInt8]) -> Int? {
    if let mark = ByteOrderMark.of(bytes), mark != .utf8 { return nil }
    guard let offset = firstInvalidByte(in: bytes) else { return nil }
    return CreativeMeta.parse(bytes).charset == nil ? offset : nil
  }

  /// Returns the text in UTF-8 without its byte order mark; UTF-16 is converted, other encodings stay as they are.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    switch ByteOrderMark.of(bytes) {
    case nil: bytes
    case .utf8: Array(bytes.dropFirst(3))
    case .utf16LittleEndian: convert(bytes) { UInt16($1) << 8 | UInt16($0) }
    case .utf16BigEndian: convert(bytes) { UInt16($0) << 8 | UInt16($1) }
    }
  }

  /// Returns the index of the first byte that isn't UTF-8; nil if there is none.
  package static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  private static func convert(_ bytes: [UInt8], unit: (UInt8, UInt8) -> UInt16) -> [UInt8] {
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

/// Encodings that the first bytes of a text can declare.
enum ByteOrderMark: String {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"

  /// Returns the byte order mark at the start of a text; nil if it has none.
  static func of(_ bytes: some Collection<UInt8>) -> ByteOrderMark? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
    if bytes.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
    if bytes.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
    return nil
  }
}
