internal import Jobs
internal import ServiceStore

/// Log-ins of people: a cookie of its own stands for the token, ends by itself, and is kept as a hash only.
struct Sessions: Sendable {
  /// How long one lasts, in milliseconds.
  static let lifetime: Int64 = 7 * 86_400_000
  /// Log-ins that a token may have at a time; the oldest ends for one more.
  static let mostOfOne = 100

  let gatekeeper: Gatekeeper
  let store: Store

  /// Begins one; nil for a token that nobody has.
  func begin(_ token: String, at instant: Int64) async throws(Fault) -> String? {
    guard gatekeeper.caller(token) != nil else { return nil }
    let session = Token.chance()
    try await store.beginSession(
      Token.hash(session), token: Token.hash(token), expires: instant + Self.lifetime, at: instant,
      most: Self.mostOfOne)
    return session
  }

  /// Whose one is; nil once it is over, or its token was taken away.
  func caller(_ session: String, at instant: Int64) async throws(Fault) -> Caller? {
    try await store.session(Token.hash(session), at: instant).flatMap { gatekeeper.caller(hash: $0) }
  }

  /// Ends one.
  func end(_ session: String) async throws(Fault) { try await store.endSession(Token.hash(session)) }
}
