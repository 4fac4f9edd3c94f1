/// The 32 bytes that stand for others.
package struct Digest: Hashable, Sendable {
  package let bytes: [UInt8]

  /// Lower-case, 64 characters.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
