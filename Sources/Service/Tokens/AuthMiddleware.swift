internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Finds out who sent a request, and refuses what other people's pages make a browser send.
struct AuthMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  let sessions: Sessions
  let front: Front
  /// Paths that need no token, exactly.
  static let open: Set<String> = Set(
    ["/healthz", "/readyz", "/login"] + PageAPI.assets.flatMap { ["/assets/\($0.name).css", "/assets/\($0.name).js"] })
  static let cookie = "galley-session"

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    try refuseForeignPages(request)
    var context = context
    if let caller = try await caller(of: request) {
      context.caller = caller
    } else if !Self.isOpen(request) {
      let wantsPage = request.headers[.accept]?.contains("text/html") == true && !request.uri.path.hasPrefix("/v1/")
      if wantsPage { return Response(status: .seeOther, headers: [.location: "/login"]) }
      throw Problem(401, "token-missing", "this needs a token: Authorization: Bearer galley_…")
    }
    return try await next(request, context)
  }

  /// Whether what is asked for needs no token; a link to one render shows by itself that it was given.
  private static func isOpen(_ request: Request) -> Bool {
    open.contains(request.uri.path)
      || request.uri.path.hasPrefix(ShareAPI.path) && [.get, .head].contains(request.method)
  }

  private func caller(of request: Request) async throws(Fault) -> Caller? {
    let authenticator = sessions.authenticator
    guard authenticator.asksForTokens else { return .local }
    if let header = request.headers[.authorization] {
      let parts = header.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
      return authenticator.caller(String(parts[1].trimmingSpaces))
    }
    guard let cookie = request.cookies[Self.cookie] else { return nil }
    return try await sessions.caller(cookie.value, at: Instant.now)
  }

  /// A page from elsewhere may neither change anything nor, by a name that leads here, read anything.
  private func refuseForeignPages(_ request: Request) throws(Problem) {
    let host = request.head.authority ?? ""
    if !sessions.authenticator.asksForTokens, !Self.isLocal(host) {
      throw Problem(421, "host-unknown", "this server is only to be called by this machine's own names")
    }
    guard ![.get, .head, .options].contains(request.method) else { return }
    guard front.isOwn(request.headers, host: host) else {
      throw Problem(403, "request-cross-site", "pages of other sites may not call this server")
    }
  }

  /// Whether an authority is a loopback address or the name of one.
  static func isLocal(_ authority: String) -> Bool {
    var host = authority[...]
    if host.hasPrefix("[") {
      host = host.dropFirst().prefix { $0 != "]" }
    } else if let colon = host.lastIndex(of: ":") {
      host = host[..<colon]
    }
    return host.lowercased() == "localhost" || host == "::1" || isLoopback4(host)
  }

  /// Four numbers of which the first is 127: a name could begin with it as well.
  private static func isLoopback4(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// Log-ins of people: a cookie of its own stands for the token, ends by itself, and is kept as a hash only.
struct Sessions: Sendable {
  /// How long one lasts, in milliseconds.
  static let lifetime: Int64 = 7 * 86_400_000
  /// Log-ins that a token may have at a time; the oldest ends for one more.
  static let mostOfOne = 100

  let authenticator: Authenticator
  let store: Store

  /// Begins one; nil for a token that nobody has.
  func begin(_ token: String, at timestamp: Int64) async throws(Fault) -> String? {
    guard authenticator.caller(token) != nil else { return nil }
    let session = Token.chance()
    try await store.beginSession(
      Token.hash(session), token: Token.hash(token), expires: timestamp + Self.lifetime, at: timestamp,
      most: Self.mostOfOne)
    return session
  }

  /// Whose one is; nil once it is over, or its token was taken away.
  func caller(_ session: String, at timestamp: Int64) async throws(Fault) -> Caller? {
    try await store.session(Token.hash(session), at: timestamp).flatMap { authenticator.caller(hash: $0) }
  }

  /// Ends one.
  func end(_ session: String) async throws(Fault) { try await store.endSession(Token.hash(session)) }
}
