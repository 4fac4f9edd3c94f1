internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import RenderModel
internal import Scheduling
internal import Telemetry

/// A request being answered, and its sender.
struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The caller; without a name and scopes until the token has been checked.
  var caller = Caller(name: "", scopes: [])
  let channel: any Channel
  /// The connection that the request came by; nil if connections aren't tracked.
  var connection: Connection?
  /// The supervisor that tracks the connections.
  var connections: ConnectionSupervisor?

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    coreContext = CoreRequestContextStorage(source: source)
  }

  /// The address at the other end of the connection.
  var peer: IPAddress? { IPAddress(of: channel.remoteAddress) }

  /// True if the connection has only a reserved place, which serves probes alone.
  var isReserved: Bool { connection?.isReserved == true }

  /// Counts the request towards the limit of a caller.
  func identify(as holder: String) throws(Problem) {
    if let connection, let connections { try connections.identify(connection, as: holder) }
  }

  /// Runs a body that waits for news of a render; meanwhile its connection may be displaced by others.
  func following<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard let connection, let connections else { return try await body() }
    connections.follow(connection)
    defer { if !connection.hasGivenWay { connections.work(connection) } }
    return try await body()
  }

  /// Checks that the caller has a scope.
  ///
  /// - Throws: problem 403 `scope-missing`.
  func require(_ scope: Scope) throws(Problem) {
    guard caller.may(scope) else {
      throw Problem(403, "scope-missing", "use a token with the scope '\(scope.rawValue)'")
    }
  }

  /// The id of a render in the path.
  func renderID() throws(Problem) -> String {
    let id = parameters.get("id") ?? ""
    guard RenderID.isOne(id) else { throw .missing("render '\(id.prefix(40))'") }
    return id
  }
}

/// Counts, times and logs requests by their route, and looks up the connection of each.
struct RequestMetricsMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  let gauges: ServiceGauges
  let connections: ConnectionSupervisor

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    var context = context
    context.connection = connections.connection(of: context.channel)
    context.connections = connections
    let response = try await next(request, context)
    let seconds = start.duration(to: .now) / .seconds(1)
    let route = context.endpointPath ?? "none"
    // A caller may make methods up, and each would be counted on its own.
    let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete]
    let method = known.contains(request.method) ? request.method.rawValue : "other"
    gauges.answered(method, route, status: response.status.code, seconds: seconds)
    context.logger.info(
      "request",
      metadata: [
        "method": "\(request.method)", "path": "\(ShareAPI.withoutLink(request.uri.path))",
        "status": "\(response.status.code)",
        "ms": "\(Bounded.int(seconds * 1000, in: 0...Int.max))",
      ])
    return response
  }
}

/// Adds headers that restrict browsers to showing an answer.
struct SecurityMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  /// Content security policy of pages: they may load this server's own files, and images.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    + "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.xContentTypeOptions] = "nosniff"
    // With no referrer at all browsers would call the origin of the server's own forms `null`.
    let wanted: [(String, String)] = [
      ("content-security-policy", Self.policy), ("referrer-policy", "same-origin"),
      ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
      ("x-frame-options", "SAMEORIGIN"),
    ]
    for (name, value) in wanted {
      if let name = HTTPField.Name(name), response.headers[name] == nil { response.headers[name] = value }
    }
    return response
  }
}
