package import Core
internal import FoundationEssentials
internal import Glibc

/// The file of access tokens.
package struct TokenFile: Sendable {
  private struct Document: Codable {
    var tokens: [TokenEntry]
  }

  package let path: String

  package init(_ path: String) { self.path = path }

  /// Reads all entries; empty if there is no such file.
  package func read() throws(Fault) -> [TokenEntry] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    guard let bytes = try? FileReading.regular(path, most: 16 << 20),
      let document = try? JSONDecoder().decode(Document.self, from: Data(bytes))
    else { throw .request("tokens-unreadable", "\(path) isn't a token file") }
    return document.tokens
  }

  /// Creates a token and returns it; its name must be unique.
  package func add(
    name: String, scopes: [Scope], rate: Int? = nil, concurrency: Int? = nil
  ) throws(Fault) -> String {
    var entries = try read()
    guard !entries.contains(where: { $0.name == name }) else {
      throw .request("token-exists", "a token named '\(name)' already exists")
    }
    let token = Token.make()
    entries.append(
      TokenEntry(
        name: name, scopes: scopes, sha256: Token.hash(token), created: Instant.text(Instant.now), rate: rate,
        concurrency: concurrency))
    try write(entries)
    return token
  }

  /// Removes a token; an unknown name is the caller's fault.
  package func remove(name: String) throws(Fault) {
    let entries = try read()
    guard entries.contains(where: { $0.name == name }) else {
      throw .request("token-missing", "no token is named '\(name)'")
    }
    try write(entries.filter { $0.name != name })
  }

  /// File attributes by which a change is noticed; nil if the file doesn't exist.
  package var stamp: [Int64]? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    // Within a tick of the clock two files may be written at the same instant.
    return [Int64(facts.st_ino), Int64(facts.st_size), Int64(facts.st_mtim.tv_sec), Int64(facts.st_mtim.tv_nsec)]
  }

  private func write(_ entries: [TokenEntry]) throws(Fault) {
    do {
      try OutputFile.write(JSONText.of(Document(tokens: entries)), to: path, mode: 0o600, isDurable: true)
    } catch {
      throw .writing(path, error, isNamed: true)
    }
  }
}

/// A token in the file, which contains only its hash.
package struct TokenEntry: Hashable, Sendable, Codable {
  /// The name of the holder in logs and renders.
  package var name: String
  package var scopes: [Scope]
  /// SHA-256 in lower-case hexadecimal digits; a simple hash suffices, since a token has 160 random bits.
  package var sha256: String
  package var created: String
  /// Maximum number of requests for renders per minute; nil for no limit.
  package var rate: Int?
  /// Maximum number of renders waiting or running concurrently; nil for no limit.
  package var concurrency: Int?

  package init(
    name: String, scopes: [Scope], sha256: String, created: String, rate: Int? = nil, concurrency: Int? = nil
  ) {
    (self.name, self.scopes, self.sha256, self.created) = (name, scopes, sha256, created)
    (self.rate, self.concurrency) = (rate, concurrency)
  }
}

/// Creation and hashing of tokens.
package enum Token {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Creates a token: a prefix for scanners of leaked secrets, and 160 random bits.
  package static func make() -> String { "galley_" + chance() }

  /// 160 random bits as text.
  static func chance() -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
  }

  /// The hash under which a token is stored.
  package static func hash(_ token: String) -> String { SHA256.of(token).hex }
}

/// Permissions of a token.
package enum Scope: String, Sendable, Codable, CaseIterable {
  /// Read one's own renders, the baselines, and the load of the server.
  case read
  /// Read the renders of all tokens as well, which members of a team need.
  case readAll = "read-all"
  /// Submit renders, and cancel or remove one's own.
  case render
  /// Change baselines, and decide reviews.
  case approve
  /// All permissions, including changing and removing the renders of others.
  case admin
}
