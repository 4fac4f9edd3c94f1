internal import Core
internal import Files
internal import Foundation
internal import Glibc

/// Secret key of servers for signing their data and deriving other secrets.
///
/// Servers of one queue share a key; workers and senders don't have it.
struct SigningKey: Sendable {
  /// Minimum number of bytes of a key.
  private static let least = 32
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a key of 32 bytes or more in base64, or creates one if there is no file.
  /// - Throws: `secret-invalid` for a file that holds something else.
  init(file: String) throws(Fault) {
    if !FileManager.default.fileExists(atPath: file) { try Self.make(file) }
    guard let text = try? FileReading.regular(file, most: 1 << 10),
      let key = Data(base64Encoded: String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }),
      key.count >= Self.least
    else {
      throw .request(
        "secret-invalid", "\(file) must contain at least \(Self.least) bytes in base64; delete it to create a new one")
    }
    self.init(Array(key))
  }

  private static func make(_ file: String) throws(Fault) {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<least).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let scratch = "\(file).\(UUID().uuidString)"
    defer { unlink(scratch) }
    try DurableFile.write(Array((Data(bytes).base64EncodedString() + "\n").utf8), to: scratch)
    // Of two servers that begin at once the first decides.
    guard link(scratch, file) == 0 || errno == EEXIST else {
      throw .writing(file, SystemError(errno), isNamed: true)
    }
  }

  /// The signature of bytes for a purpose; it isn't valid for any other purpose.
  func signature(_ purpose: String, _ bytes: [UInt8]) -> String {
    let hash = SHA256(key: self.bytes)
    hash.update(Array("\(purpose)\u{0}".utf8))
    hash.update(bytes)
    return hash.finish().hex
  }

  func signature(_ purpose: String, _ text: String) -> String { signature(purpose, Array(text.utf8)) }

  /// Indicates if a signature is valid, in constant time.
  func holds(_ signature: String, _ purpose: String, _ bytes: [UInt8]) -> Bool {
    Self.isSame(signature, self.signature(purpose, bytes))
  }

  func holds(_ signature: String, _ purpose: String, _ text: String) -> Bool {
    holds(signature, purpose, Array(text.utf8))
  }

  /// Indicates if two texts are equal, in constant time.
  static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A secret of 32 bytes derived for a purpose.
  func secret(_ purpose: String) -> [UInt8] { SHA256.of("secret\n\(purpose)", key: bytes).bytes }

  /// Identity of the key, from which the key can't be derived.
  var fingerprint: String { String(signature("fingerprint", "").prefix(32)) }
}
