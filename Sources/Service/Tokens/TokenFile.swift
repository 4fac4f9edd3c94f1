internal import Core
internal import FoundationEssentials
internal import Glibc
package import Jobs

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
