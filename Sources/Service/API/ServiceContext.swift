internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// A request on its way, and who sent it.
struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Nobody until the token was looked at.
  var caller = Caller(name: "", scopes: [])
  let channel: any Channel
  /// The connection it came by; nil where nobody keeps account of those.
  var connection: Connection?

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    coreContext = CoreRequestContextStorage(source: source)
  }

  /// Who is at the other end of the connection.
  var peer: IPAddress? { IPAddress(of: channel.remoteAddress) }

  /// Refuses whoever may not do what a scope stands for.
  func require(_ scope: Scope) throws(Problem) {
    guard caller.may(scope) else {
      throw Problem(403, "scope-missing", "this needs a token with the scope '\(scope.rawValue)'")
    }
  }

  /// A part of the path that names a render.
  func renderID() throws(Problem) -> String {
    let id = parameters.get("id") ?? ""
    guard RenderID.isOne(id) else { throw .missing("render '\(id.prefix(40))'") }
    return id
  }
}

/// Counts, times and logs requests by their route, and finds the connection that each came by.
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
    let response = try await next(request, context)
    let seconds = start.duration(to: .now) / .seconds(1)
    let route = context.endpointPath ?? "none"
    // A caller may make methods up, and each would be counted on its own.
    let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete]
    let method = known.contains(request.method) ? request.method.rawValue : "other"
    gauges.answered(method, route, status: response.status.code, seconds: seconds)
    // A link to one render is a secret.
    let path = request.uri.path.hasPrefix(ShareAPI.path) ? route : request.uri.path
    context.logger.info(
      "request",
      metadata: [
        "method": "\(request.method)", "path": "\(path)", "status": "\(response.status.code)",
        "ms": "\(Bounded.int(seconds * 1000, in: 0...Int.max))",
      ])
    return response
  }
}

/// Headers that keep browsers from doing more with an answer than show it.
struct SecurityMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  /// What pages may load: this server's own files, and pictures.
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
