internal import CGcrypt

/// SHA-256 (FIPS 180-4) of a stream of bytes, or with a key their HMAC (RFC 2104).
package final class SHA256 {
  private let state: gcry_md_hd_t

  /// Makes a hash of no bytes yet.
  package init(key: [UInt8]? = nil) {
    _ = Self.library
    var state: gcry_md_hd_t?
    let flags = key == nil ? 0 : GCRY_MD_FLAG_HMAC.rawValue
    guard gcry_md_open(&state, Self.algorithm, flags) == 0, let state else {
      preconditionFailure("no memory to hash in")
    }
    if let key, gcry_md_setkey(state, key, key.count) != 0 { preconditionFailure("no memory for a key") }
    self.state = state
  }

  deinit { gcry_md_close(state) }

  package func update(_ bytes: UnsafeRawBufferPointer) { gcry_md_write(state, bytes.baseAddress, bytes.count) }

  package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// The digest of all bytes so far; no more may follow.
  package func finish() -> Digest {
    Digest(bytes: Array(UnsafeBufferPointer(start: gcry_md_read(state, Self.algorithm), count: 32)))
  }

  /// The digest of an array of bytes.
  package static func of(_ bytes: [UInt8], key: [UInt8]? = nil) -> Digest {
    let hash = SHA256(key: key)
    hash.update(bytes)
    return hash.finish()
  }

  /// The digest of a text in UTF-8.
  package static func of(_ text: String, key: [UInt8]? = nil) -> Digest { of(Array(text.utf8), key: key) }

  private static let algorithm = Int32(GCRY_MD_SHA256.rawValue)

  /// Initializes the library, which requires the version check before any other call.
  private static let library: Void = { _ = gcry_check_version(nil) }()
}

/// The 32 bytes of a SHA-256 hash or HMAC.
package struct Digest: Hashable, Sendable {
  package let bytes: [UInt8]

  /// 64 hexadecimal digits in lower case.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
