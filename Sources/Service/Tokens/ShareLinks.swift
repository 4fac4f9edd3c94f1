internal import Core
internal import Foundation
internal import RenderModel

/// Links to one render for people without a token: signed with a key of the server's own, and over after some days.
struct ShareLinks: Sendable {
  /// A link that holds.
  struct Link: Hashable, Sendable {
    let render: String
    /// Milliseconds since 1970.
    let expires: Int64
  }

  /// The most days that one may last.
  static let longest = 365
  private let key: [UInt8]
  /// The most days that one lasts here; 0 gives none, and none that was given holds.
  let mostDays: Int

  var areOn: Bool { mostDays > 0 }

  init(key: [UInt8], mostDays: Int) { (self.key, self.mostDays) = (key, mostDays) }

  /// Reads the key, or makes one; a new one in its place ends every link.
  init(file: String, mostDays: Int) throws(Fault) {
    guard mostDays > 0 else {
      self.init(key: [], mostDays: 0)
      return
    }
    if !FileManager.default.fileExists(atPath: file) {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      try DurableFile.write(Array((Data(bytes).base64EncodedString() + "\n").utf8), to: file)
    }
    guard let bytes = try? FileReading.regular(file, most: 1 << 10),
      let key = Data(base64Encoded: String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }), key.count >= 32
    else { throw .request("secret-invalid", "\(file) must hold 32 bytes or more in base64; remove it for a new one") }
    self.init(key: Array(key), mostDays: mostDays)
  }

  /// What stands for a link in an address: the render, when it ends, and the signature of both.
  func text(of link: Link) -> String {
    "\(link.render).\(String(link.expires, radix: 36)).\(signature(of: link))"
  }

  /// The link that a text stands for; nil for none that was given here, or one that is over.
  func link(_ text: String, at timestamp: Int64) -> Link? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard areOn, parts.count == 3, RenderID.isOne(String(parts[0])), let expires = Int64(parts[1], radix: 36) else {
      return nil
    }
    let link = Link(render: String(parts[0]), expires: expires)
    // Written another way it would be another address of the same.
    guard text.utf8.count < 200, Self.isSame(self.text(of: link), text), timestamp < expires else { return nil }
    return link
  }

  private func signature(of link: Link) -> String {
    SHA256.of("share\n\(link.render)\n\(link.expires)", key: key).hex
  }

  /// Takes as long wherever two texts differ.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
