extension UInt8 {
  /// Whether HTML counts it as white space: tab, line feed, form feed, return, space.
  var isHTMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }

  /// Whether it is a to z in either case.
  var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// Whether it is 0 to 9.
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}

extension Sequence<UInt8> {
  /// Each byte with A to Z made lower case, others untouched.
  var lowercasedASCII: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}
