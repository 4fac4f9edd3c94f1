import Crypto

extension SHA256 {
  /// SHA-256 of `bytes` in lower-case hex.
  static func hex(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return hash.finalize().hex
  }
}

extension SHA256.Digest {
  /// Lower-case, 64 characters.
  var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
