/// Percent escapes of addresses.
package enum PercentEscapes {
  /// Decodes each valid `%XX`; a stray percent sign stays, as in browsers.
  package static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  /// The same for a text; returns the text itself if the result isn't valid UTF-8.
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    return String(validating: decoded(Array(text.utf8)), as: UTF8.self) ?? text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII ? character.hexDigitValue.map(UInt8.init) : nil
  }
}
