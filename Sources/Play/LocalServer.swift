internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import UnixSignals

/// A server for this machine alone; requests without the key in their address get nothing.
struct LocalServer: Sendable {
  private let port: Int
  /// Random key that is a part of every address.
  private let key: String

  /// Creates a server for a port; 0 takes any free one.
  init(port: Int) {
    self.port = port
    var generator = SystemRandomNumberGenerator()
    key = (0..<4).map { _ in String(UInt32.random(in: .min ... .max, using: &generator), radix: 36) }.joined()
  }

  /// Serves the routes below the key until a signal stops it; calls `ready` with the address.
  func run(
    policy: String, beside services: [any Service] = [], routes: (RouterGroup<BasicRequestContext>) -> Void,
    ready: @escaping @Sendable (_ address: String) -> Void
  ) async throws(Fault) {
    let router = Router(context: BasicRequestContext.self, options: [.autoGenerateHeadEndpoints])
    router.add(middleware: LocalMiddleware(policy: policy))
    routes(router.group("/:key").add(middleware: KeyMiddleware(key: key)))
    let logger = Logger(label: "galley") { _ in SwiftLogNoOpLogHandler() }
    let web = Application(
      router: router,
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port), serverName: "galley/\(Galley.version)"),
      onServerRunning: { [key] channel in ready("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/\(key)/") },
      logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: services + [web], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError {
      throw .request("address-unusable", "can't listen on 127.0.0.1:\(port): \(error)")
    } catch {
      throw error as? Fault ?? .engine("server-failed", "the server failed: \(error)")
    }
  }
}

/// Rejects requests without the right key with status 404.
private struct KeyMiddleware: RouterMiddleware {
  let key: String

  func handle(
    _ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    // Digests are compared, which tells nothing by how long it takes.
    guard let given = context.parameters.get("key"), SHA256.of(given) == SHA256.of(key) else {
      throw HTTPError(.notFound)
    }
    return try await next(request, context)
  }
}

/// Answers of the page's server.
enum LocalAnswer {
  static func text(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

/// Rejects requests by other host names or from other origins, and adds the headers that restrict browsers.
private struct LocalMiddleware: RouterMiddleware {
  let policy: String

  func handle(
    _ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority?.split(separator: ":").first ?? ""
    guard ["127.0.0.1", "localhost"].contains(host) else { throw HTTPError(.forbidden) }
    if let origin = request.headers[.origin], origin != "http://\(request.head.authority ?? "")" {
      throw HTTPError(.forbidden)
    }
    var response = try await next(request, context)
    response.headers[.xContentTypeOptions] = "nosniff"
    for (name, value) in [
      ("content-security-policy", policy), ("referrer-policy", "no-referrer"), ("x-frame-options", "DENY"),
      ("cross-origin-resource-policy", "same-origin"), ("cross-origin-opener-policy", "same-origin"),
    ] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
  }
}
