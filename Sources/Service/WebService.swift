internal import Core
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import RenderModel
internal import ServiceLifecycle
internal import Telemetry

/// The HTTP service of the server.
struct WebService: Service {
  let settings: ServiceSettings
  let sessions: Sessions
  let connections: ConnectionSupervisor
  let gauges: ServiceGauges
  let renders: RenderAPI
  let operations: OperationsAPI
  let diffs: DiffAPI
  let reviews: ReviewAPI
  let shares: ShareAPI
  let pages: PageAPI
  let log: Logger
  /// Callback with the server's address, called once it accepts connections.
  let ready: @Sendable (String) -> Void

  func run() async throws {
    try await renders.scheduler.begin()
    let host = settings.host
    let application = Application(
      router: router(),
      // Whoever sends nothing for a minute is cut off; who waits for an answer isn't.
      server: HTTPServerBuilder { GuardedChannel(connections, idle: .seconds(60), $0) },
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: settings.port), serverName: "galley/\(Galley.version)"),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        ready("http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
      },
      logger: log)
    try await application.run()
  }

  /// The methods of every path.
  var table: RouteTable {
    let plain = Router(context: ServiceContext.self)
    add(to: plain)
    return RouteTable(plain)
  }

  /// All routes, behind the middleware they share.
  func router() -> Router<ServiceContext> {
    let router = Router(context: ServiceContext.self, options: [.autoGenerateHeadEndpoints])
    router.add(middleware: RequestMetricsMiddleware(gauges: gauges, connections: connections))
    if SpanExporter.isOn { router.add(middleware: TraceMiddleware()) }
    router.add(middleware: SecurityMiddleware())
    router.add(middleware: ProblemMiddleware(table: table, pages: pages.library))
    router.add(middleware: AuthMiddleware(sessions: sessions, front: settings.front))
    add(to: router)
    return router
  }

  private func add(to router: some RouterMethods<ServiceContext>) {
    operations.add(to: router)
    renders.add(to: router)
    diffs.add(to: router)
    diffs.baselines.add(to: router)
    reviews.add(to: router)
    shares.add(to: router)
    pages.add(to: router)
  }
}

/// The methods of every path, which Hummingbird's router doesn't reveal.
struct RouteTable: Sendable {
  /// One method of one path.
  struct Route: Hashable, Sendable {
    let method: String
    /// The pattern of the path, like `/v1/renders/{id}`.
    let path: String
  }

  let routes: [Route]

  init(_ routes: [Route]) { self.routes = routes }

  /// Reads the routes of a router.
  init(_ router: Router<ServiceContext>) {
    self.init(router.routes.map { Route(method: $0.method.rawValue, path: "\($0.path)") })
  }

  /// The methods of a path, sorted; empty if there is no such path.
  func methods(of path: String) -> [String] {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let found = routes.filter { route in
      var own = route.path.split(separator: "/", omittingEmptySubsequences: false)
      let isOpen = own.last == "**"
      if isOpen { own.removeLast() }
      return (isOpen ? parts.count > own.count : parts.count == own.count)
        && zip(own, parts).allSatisfy { $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 }
    }.map(\.method)
    return Set(found + (found.contains("GET") ? ["HEAD"] : [])).sorted()
  }
}
