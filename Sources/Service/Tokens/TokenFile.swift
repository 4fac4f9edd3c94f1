package import Core
internal import FoundationEssentials
internal import Glibc

/// The file of tokens.
package struct TokenFile: Sendable {
  private struct Document: Codable {
    var tokens: [TokenEntry]
  }

  package let path: String

  package init(_ path: String) { self.path = path }

  /// All entries; none when there is no such file.
  package func read() throws(Fault) -> [TokenEntry] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    guard let bytes = try? FileReading.regular(path, most: 16 << 20),
      let document = try? JSONDecoder().decode(Document.self, from: Data(bytes))
    else { throw .request("tokens-unreadable", "\(path) is no file of tokens") }
    return document.tokens
  }

  /// Adds a token and returns it; a name may be there once.
  package func add(
    name: String, scopes: [Scope], rate: Int? = nil, concurrency: Int? = nil
  ) throws(Fault) -> String {
    var entries = try read()
    guard !entries.contains(where: { $0.name == name }) else {
      throw .request("token-exists", "there is a token called '\(name)' already")
    }
    let token = Token.make()
    entries.append(
      TokenEntry(
        name: name, scopes: scopes, sha256: Token.hash(token), created: Instant.text(Instant.now), rate: rate,
        concurrency: concurrency))
    try write(entries)
    return token
  }

  /// Takes a token away; one that isn't there is the caller's fault.
  package func remove(name: String) throws(Fault) {
    let entries = try read()
    guard entries.contains(where: { $0.name == name }) else {
      throw .request("token-missing", "there is no token called '\(name)'")
    }
    try write(entries.filter { $0.name != name })
  }

  /// What changes with the file, to notice that it did; nil when it isn't there.
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

/// A token as its file has it: never itself, only its hash.
package struct TokenEntry: Hashable, Sendable, Codable {
  /// Whose it is; what logs and renders call its holder.
  package var name: String
  package var scopes: [Scope]
  /// SHA-256 in lower-case hex; enough, since a token is 160 bits of chance.
  package var sha256: String
  package var created: String
  /// Requests for renders a minute; nil for any number.
  package var rate: Int?
  /// Renders that may wait or run together; nil for any number.
  package var concurrency: Int?

  package init(
    name: String, scopes: [Scope], sha256: String, created: String, rate: Int? = nil, concurrency: Int? = nil
  ) {
    (self.name, self.scopes, self.sha256, self.created) = (name, scopes, sha256, created)
    (self.rate, self.concurrency) = (rate, concurrency)
  }
}

/// The secret itself.
package enum Token {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// A new one: a prefix that scanners for leaked secrets can look for, and 160 bits of chance.
  package static func make() -> String { "galley_" + chance() }

  /// 160 bits of chance.
  static func chance() -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
  }

  /// What is kept of one.
  package static func hash(_ token: String) -> String { SHA256.of(token).hex }
}

/// What a token lets its holder do.
package enum Scope: String, Sendable, Codable, CaseIterable {
  /// See the renders of one's own, the baselines that all share, and how full the server is.
  case read
  /// See everybody's renders as well: what a team wants of its people.
  case readAll = "read-all"
  /// Have something rendered, and cancel or forget one's own.
  case render
  /// Change baselines.
  case approve
  /// Everything: also change and remove what isn't one's own.
  case admin
}
