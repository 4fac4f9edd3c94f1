internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Identifies the caller of a request, and rejects requests that pages of other sites cause a browser to send.
struct AuthMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  let sessions: Sessions
  let front: Front
  /// Exact paths that need no token.
  static let open: Set<String> = Set(
    ["/healthz", "/readyz", "/login"] + PageAPI.assets.flatMap { ["/assets/\($0.name).css", "/assets/\($0.name).js"] })
  static let cookie = "galley-session"
  /// Paths of probes, which are answered even if the server is full.
  private static let probes: Set<String> = ["/healthz", "/readyz", "/metrics"]

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let isProbe = Self.probes.contains(request.uri.path)
    guard isProbe || !context.isReserved else {
      throw Problem(503, "connections-too-many", "too many open connections; try again", retryAfter: 5)
    }
    try refuseForeignPages(request)
    var context = context
    if let caller = try await caller(of: request) {
      context.caller = caller
    } else if !Self.isOpen(request) {
      let wantsPage = request.headers[.accept]?.contains("text/html") == true && !request.uri.path.hasPrefix("/v1/")
      if wantsPage {
        let asked = request.method == .get ? LoginTarget(request.uri.string) : nil
        return Response(status: .seeOther, headers: [.location: asked?.loginAddress ?? "/login"])
      }
      throw Self.refusal(request)
    }
    if !isProbe, let holder = holder(of: context) { try context.identify(as: holder) }
    return try await next(request, context)
  }

  /// The name under which requests are counted together: that of a token, else of a network; nil for a trusted proxy.
  private func holder(of context: Context) -> String? {
    if sessions.authenticator.asksForTokens, !context.caller.name.isEmpty { return "token \(context.caller.name)" }
    return front.trusts(context.peer) ? nil : context.peer.map { "network \(ConnectionSupervisor.network(of: $0))" }
  }

  /// Indicates if a request needs no token. Links to one render need none, because they are secret themselves.
  private static func isOpen(_ request: Request) -> Bool {
    open.contains(request.uri.path)
      || request.uri.path.hasPrefix(ShareAPI.path) && [.get, .head].contains(request.method)
  }

  /// The problem of a request without a valid token: the token is missing or unknown.
  private static func refusal(_ request: Request) -> Problem {
    bearer(of: request) == nil
      ? Problem(401, "token-missing", "a token is required: send Authorization: Bearer galley_…")
      : Problem(401, "token-unknown", "the token is unknown: it is mistyped or was revoked")
  }

  /// The token of a request; nil for none, and for a header of another kind.
  private static func bearer(of request: Request) -> String? {
    guard let parts = request.headers[.authorization]?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return nil }
    return String(parts[1].trimmingSpaces)
  }

  private func caller(of request: Request) async throws(Fault) -> Caller? {
    let authenticator = sessions.authenticator
    guard authenticator.asksForTokens else { return .local }
    if request.headers[.authorization] != nil { return Self.bearer(of: request).flatMap { authenticator.caller($0) } }
    guard let cookie = request.cookies[Self.cookie] else { return nil }
    return try await sessions.caller(cookie.value, at: Instant.now)
  }

  /// Rejects changes from pages of other sites; without tokens also rejects all non-local host names, against DNS
  /// rebinding.
  private func refuseForeignPages(_ request: Request) throws(Problem) {
    let host = request.head.authority ?? ""
    if !sessions.authenticator.asksForTokens, !Self.isLocal(host) {
      throw Problem(421, "host-unknown", "the Host header must name this machine")
    }
    guard ![.get, .head, .options].contains(request.method) else { return }
    guard front.isOwn(request.headers, host: host) else {
      throw Problem(403, "request-cross-site", "requests from pages of other sites are not allowed")
    }
  }

  /// Indicates if an authority is a loopback address or its name.
  static func isLocal(_ authority: String) -> Bool {
    var host = authority[...]
    if host.hasPrefix("[") {
      host = host.dropFirst().prefix { $0 != "]" }
    } else if let colon = host.lastIndex(of: ":") {
      host = host[..<colon]
    }
    return host.lowercased() == "localhost" || host == "::1" || isLoopback4(host)
  }

  /// Indicates if a host is an IPv4 address from 127.0.0.0/8; a name may begin with `127.` as well.
  private static func isLoopback4(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// The page requested before the login: a path on this server and nothing else.
struct LoginTarget {
  /// Maximum number of bytes of the path.
  private static let longest = 2000
  let path: String

  /// Parses a path; nil for text that a browser could read as another server's address, and for the login and logout
  /// pages.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    // White space goes before a browser reads an address, and a back slash counts as a slash.
    guard bytes.count <= Self.longest, bytes.first == UInt8(ascii: "/"),
      bytes.count < 2 || bytes[1] != UInt8(ascii: "/"),
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
      !["/login", "/logout"].contains(String(text.prefix { $0 != "?" && $0 != "#" }))
    else { return nil }
    path = text
  }

  /// The address of the login page that leads on to the target.
  var loginAddress: String { path == "/" ? "/login" : "/login?next=\(BaselineDocument.escaped(path))" }
}

/// Sessions of users in signed cookies, so that a login needn't be stored or sent to other servers.
///
/// The signed text contains a mark of the token's hash. Servers of one queue derive the same key and accept each
/// other's cookies.
struct Sessions: Sendable {
  /// Duration of a session in milliseconds.
  static let lifetime: Int64 = 7 * 86_400_000
  private static let purpose = "session"

  let authenticator: Authenticator
  let store: SessionStore
  let key: SigningKey

  /// Begins a session; nil for an unknown token.
  func begin(_ token: String, at timestamp: Int64) -> String? {
    guard authenticator.caller(token) != nil else { return nil }
    let expires = String(timestamp + Self.lifetime, radix: 36)
    let head = "\(expires).\(Token.chance()).\(mark(of: Token.hash(token)))"
    return "\(head).\(key.signature(Self.purpose, head))"
  }

  /// The caller of a session; nil if it has ended or its token was removed.
  func caller(_ session: String, at timestamp: Int64) async throws(Fault) -> Caller? {
    // Tokens are only looked through for what a server has signed.
    guard let known = read(session), timestamp < known.expires,
      let caller = authenticator.caller(where: { mark(of: $0) == known.mark })
    else { return nil }
    return try await store.isEnded(Token.hash(session)) ? nil : caller
  }

  /// Ends a session before its expiry; text that isn't a valid session is ignored.
  func end(_ session: String, at timestamp: Int64) async throws(Fault) {
    guard let known = read(session), timestamp < known.expires else { return }
    try await store.end(Token.hash(session), expires: known.expires, at: timestamp)
  }

  /// The keyed hash by which a session refers to its token; neither the token nor its hash can be derived from it.
  private func mark(of hash: String) -> String { String(key.signature("token", hash).prefix(32)) }

  /// The expiry and mark of a session signed with the server's key; nil for any other text.
  private func read(_ session: String) -> (expires: Int64, mark: Substring)? {
    guard session.utf8.count <= 200, let dot = session.lastIndex(of: ".") else { return nil }
    let head = session[..<dot]
    let parts = head.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let expires = Int64(parts[0], radix: 36),
      key.holds(String(session[session.index(after: dot)...]), Self.purpose, String(head))
    else { return nil }
    return (expires, parts[2])
  }
}
