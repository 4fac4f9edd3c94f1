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
