/// Constants and codes of deflate (RFC 1951, 3.2).
enum DeflateCode {
  /// Minimum and maximum number of bytes that one match stands for.
  static let shortest = 3
  static let longest = 258
  /// Symbol that ends a block, and symbol of the longest match, which is the last one.
  static let end = 256
  static let longestSymbol = 285
  /// Order in which the lengths of the codes for code lengths are written.
  static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Returns the codes that follow from their lengths, with the bit that is written first lowest.
  static func codes(lengths: ArraySlice<UInt8>) -> [UInt16] {
    var next = [Int](repeating: 0, count: 17)
    for length in lengths where length > 0 { next[Int(length) + 1] += 1 }
    for length in 1...16 { next[length] = (next[length] + next[length - 1]) << 1 }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      defer { next[Int(length)] += 1 }
      return reversed(UInt16(truncatingIfNeeded: next[Int(length)])) >> (16 - UInt16(length))
    }
  }

  private static func reversed(_ code: UInt16) -> UInt16 {
    var code = code
    code = (code & 0x5555) << 1 | code >> 1 & 0x5555
    code = (code & 0x3333) << 2 | code >> 2 & 0x3333
    code = (code & 0x0F0F) << 4 | code >> 4 & 0x0F0F
    return code.byteSwapped
  }

  /// Returns the number of bits that follow a length's code; 0 for literals and the end.
  static func lengthExtra(_ symbol: Int) -> Int {
    symbol < 265 || symbol >= longestSymbol ? 0 : (symbol - 261) / 4
  }

  /// Returns the number of bits that follow a distance's code.
  static func distanceExtra(_ symbol: Int) -> Int { max(0, symbol / 2 - 1) }

  /// Returns the code of a length below the maximum: its symbol, the number of bits that follow, and their value.
  static func length(_ length: Int) -> (symbol: Int, extra: Int, value: Int) {
    let above = length - shortest
    guard above >= 4 else { return (257 + above, 0, 0) }
    let extra = above.bitWidth - 3 - above.leadingZeroBitCount
    return (257 + 4 * extra + above >> extra, extra, above & (1 << extra - 1))
  }
}

/// Checksum of a zlib stream (RFC 1950).
enum Adler32 {
  static let prime = 65_521

  /// Returns the checksum of two parts together from those of each; `count` is the number of bytes in the second.
  static func joined(_ first: UInt32, _ second: UInt32, count: Int) -> UInt32 {
    let (a, b) = (Int(first & 0xFFFF), Int(first >> 16))
    let (c, d) = (Int(second & 0xFFFF), Int(second >> 16))
    // Each byte of the second part adds the first part's sum once more, where alone it had 1.
    let before = (a + prime - 1) % prime
    let sum = (before + c) % prime
    let sums = (b + d + before * (count % prime)) % prime
    return UInt32(sums << 16 | sum)
  }
}
