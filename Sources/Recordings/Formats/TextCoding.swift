internal import Core

/// Decodes the escapes of a JSON text that is read piece by piece.
struct JSONUnescaper {
  /// Incomplete escape, from its backslash on.
  private var escape: [UInt8] = []
  /// First half of a surrogate pair.
  private var high: UInt32?

  mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ handOn: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if escape.isEmpty, let end = bytes[index...].firstIndex(of: UInt8(ascii: "\\")) ?? Optional(bytes.count),
        end > index
      {
        endHalf(&out)
        out.append(contentsOf: bytes[index..<end])
        index = end
        continue
      }
      escape.append(bytes[index])
      index += 1
      if escape.count == 2, escape[1] != UInt8(ascii: "u") {
        endHalf(&out)
        out.append(Self.plain[escape[1]] ?? escape[1])
        escape = []
      } else if escape.count == 6 {
        takeUnit(UInt32(String(decoding: escape[2...], as: UTF8.self), radix: 16) ?? 0xFFFD, &out)
        escape = []
      }
    }
    if !out.isEmpty { try out.withUnsafeBytes(handOn) }
  }

  /// Ends the text; an incomplete surrogate pair becomes U+FFFD.
  mutating func end(_ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    var out: [UInt8] = []
    endHalf(&out)
    if !out.isEmpty { try out.withUnsafeBytes(handOn) }
  }

  private mutating func takeUnit(_ unit: UInt32, _ out: inout [UInt8]) {
    if let first = high, (0xDC00...0xDFFF).contains(unit) {
      high = nil
      return Self.put(0x10000 + (first - 0xD800) << 10 + (unit - 0xDC00), &out)
    }
    endHalf(&out)
    if (0xD800...0xDBFF).contains(unit) { high = unit } else { Self.put(unit, &out) }
  }

  private mutating func endHalf(_ out: inout [UInt8]) {
    guard high != nil else { return }
    high = nil
    Self.put(0xFFFD, &out)
  }

  private static func put(_ scalar: UInt32, _ out: inout [UInt8]) {
    out.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
  }

  private static let plain: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]
}

/// Escapes a body's bytes for a JSON text, without the quotation marks.
enum JSONEscaper {
  /// Returns the escaped bytes of a part of valid UTF-8, which may be cut within a character.
  static func escaped(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + bytes.count / 16)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): out += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\\"): out += [byte, byte]
      case 10: out += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0..<32: out += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: out.append(byte)
      }
    }
    return out
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

/// Decodes base 64 piece by piece; white space is ignored, any other foreign character is an error.
struct Base64Decoder {
  /// Error for bytes that aren't base 64.
  struct DecodingError: Error {}

  private var bits: UInt32 = 0
  private var count = 0
  private var padding = 0

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count / 4 * 3 + 3)
    for byte in bytes {
      let value = Self.values[Int(byte)]
      if value < 64 {
        guard padding == 0 else { throw DecodingError() }
        bits = bits << 6 | UInt32(value)
        count += 1
        guard count == 4 else { continue }
        out.append(UInt8(truncatingIfNeeded: bits >> 16))
        out.append(UInt8(truncatingIfNeeded: bits >> 8))
        out.append(UInt8(truncatingIfNeeded: bits))
        (bits, count) = (0, 0)
      } else if byte == UInt8(ascii: "=") {
        padding += 1
      } else if ![9, 10, 13, 32].contains(byte) {
        throw DecodingError()
      }
    }
    return out
  }

  /// Returns the remaining bytes at the end of the text.
  mutating func end() throws(DecodingError) -> [UInt8] {
    guard padding == 0 || padding + count == 4 else { throw DecodingError() }
    switch count {
    case 0: return []
    case 2: return [UInt8(truncatingIfNeeded: bits >> 4)]
    case 3: return [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
    default: throw DecodingError()
    }
  }

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()
}

/// Checks if bytes that are read piece by piece are valid UTF-8.
struct UTF8Check {
  private(set) var isValid = true
  private var rest: [UInt8] = []

  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    guard isValid else { return }
    var whole = rest + bytes
    // A character that is cut at the end is looked at with what follows.
    let tail = whole.suffix(3).lastIndex { $0 & 0xC0 == 0xC0 }
    rest = tail.map { Array(whole[$0...]) } ?? []
    let needed = rest.first.map { $0 >= 0xF0 ? 4 : $0 >= 0xE0 ? 3 : 2 } ?? 0
    if rest.count < needed { whole.removeLast(rest.count) } else { rest = [] }
    isValid = String(validating: whole, as: UTF8.self) != nil
  }

  mutating func end() -> Bool { isValid && rest.isEmpty }
}
