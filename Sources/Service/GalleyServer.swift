package import Cluster
package import Core
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
package import Telemetry
internal import UnixSignals

/// The whole server: its parts, the order of their start, and the reverse order of their end.
package struct GalleyServer: Sendable {
  private let settings: ServiceSettings
  /// The queue shared with other servers and with workers; nil for a server that renders by itself.
  private let cluster: ClusterSettings?
  private let log: Logger
  /// Exporter of spans; nil if tracing is off.
  private let exporter: SpanExporter?

  package init(
    _ settings: ServiceSettings, cluster: ClusterSettings? = nil, tracing: TracingSettings? = nil, verbose: Bool = false
  ) {
    (self.settings, self.cluster) = (settings, cluster)
    log = ServiceLog.make(verbose: verbose)
    exporter = SpanExporter.begin(tracing, log: log)
  }

  /// Serves until a signal stops it; `ready` receives the address.
  package func run(ready: @escaping @Sendable (_ address: String) -> Void) async throws(Fault) {
    if settings.tokens == nil, !["127.0.0.1", "::1", "localhost"].contains(settings.host) {
      throw .request(
        "tokens-missing", "\(settings.host) is reachable from other machines: add --tokens, or use 127.0.0.1")
    }
    var data = try DataFolder(settings.data)
    let lock = try DataLock(data.path)
    let (store, parts) = try await memory(&data)
    let authenticator = try Authenticator(settings.tokens.map { TokenFile($0) })
    if authenticator.letsNobodyIn {
      log.warning("all requests are refused: there is no token yet", metadata: ["file": "\(settings.tokens ?? "")"])
    }
    let signature = try WebhookSecret(file: settings.secret ?? "\(data.path)/webhook-secret").signature()
    let pages = try PageLibrary()
    let links = try ShareLinks(file: "\(data.path)/share-key", mostDays: settings.shareDays)
    let sessionKey = try SigningKey(file: "\(data.path)/session-key")
    let approver = Approver(data)
    // Before anything else runs: it changes the environment for a moment.
    await approver.measure()
    do {
      try await services(data, store, parts, authenticator, sessionKey, signature, pages, links, approver, ready).run()
    } catch {
      throw error as? Fault ?? Self.fault(error, settings)
    }
    withExtendedLifetime(lock) {}
  }

  /// Opens the server's state: its own, or a copy of the state that all servers of the queue share.
  private func memory(_ data: inout DataFolder) async throws(Fault) -> (Store, ClusterServices?) {
    guard let settings = cluster else {
      let store = try Store(folder: data.path, mayBegin: data.found.isEmpty)
      try await store.position.checkIsAlone()
      return (store, nil)
    }
    let key = try SigningKey(file: self.settings.clusterKey ?? "\(data.path)/cluster-key")
    let cluster = try await ClusterConnection.open(settings)
    try await Snapshot.restore(cluster, key, to: data)
    let store = try Store(folder: data.path, isCopy: true)
    let parts = try await ClusterServices.join(cluster, key, store, &data, log: log)
    // All servers derive the same, and nothing of it goes through the queue.
    if self.settings.secret == nil {
      try ClusterServices.share(key.secret("webhooks"), prefix: "whsec_", in: "\(data.path)/webhook-secret")
    }
    try ClusterServices.share(key.secret("share"), in: "\(data.path)/share-key")
    try ClusterServices.share(key.secret("sessions"), in: "\(data.path)/session-key")
    return (store, parts)
  }

  private func services(
    _ data: DataFolder, _ store: Store, _ parts: ClusterServices?, _ authenticator: Authenticator,
    _ sessionKey: SigningKey, _ signature: WebhookSignature, _ pages: PageLibrary, _ links: ShareLinks,
    _ approver: Approver,
    _ ready: @escaping @Sendable (String) -> Void
  ) -> ServiceGroup {
    let gauges = ServiceGauges()
    let renderEvents = RenderEvents()
    let (wake, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reviews = ReviewDesk(
      store: store, data: data, approver: approver, base: settings.publicAddress, webhookIsDue: { waker.yield() })
    let leadership = parts?.leadership ?? Leadership(isAlone: true)
    let scheduler = desk(parts, store, data, reviews, renderEvents, gauges) { waker.yield() }
    var webhooks = WebhookSender(
      store: store.webhooks, signature: signature, allowsPrivate: settings.allowsPrivateNetwork,
      proxy: settings.proxy.flatMap(ProxyAddress.init), gauges: gauges,
      log: log, wake: wake, waker: waker)
    webhooks.leadership = leadership
    var retention = Retention(
      store: store, data: data, days: settings.bounds.days, bytes: settings.bounds.bytes,
      losses: settings.bounds.losses, log: log)
    retention.leadership = leadership
    let renders = RenderAPI(
      scheduler: scheduler, store: store, data: data, renderEvents: renderEvents, authenticator: authenticator,
      gauges: gauges, bounds: settings.bounds, allowsPrivate: settings.allowsPrivateNetwork)
    let baselines = BaselineAPI(
      store: store, data: data, bounds: settings.bounds, approver: approver, reviews: reviews)
    let diffs = DiffAPI(renders: renders, baselines: baselines, shelf: DiffStore(data))
    let sessions = Sessions(authenticator: authenticator, store: store.sessions, key: sessionKey)
    let connections = ConnectionSupervisor(settings.bounds.connections, front: settings.front, gauges: gauges)
    let web = WebService(
      settings: settings, sessions: sessions, connections: connections, gauges: gauges, renders: renders,
      operations: OperationsAPI(scheduler: scheduler, store: store, gauges: gauges),
      diffs: diffs, reviews: ReviewAPI(renders: renders, baselines: baselines, desk: reviews),
      shares: ShareAPI(renders: renders, library: pages, links: links, base: settings.publicAddress),
      pages: PageAPI(
        library: pages, renders: renders, diffs: diffs, desk: reviews, sessions: sessions, front: settings.front,
        mayShare: links.areOn),
      log: log, ready: ready)
    // They end in the reverse order: first whoever waits is sent home, then nobody is let in, then the work ends.
    // Without a queue's desk nothing can be written down, so that it ends last.
    let work: [any Service] = parts == nil ? [webhooks, retention, scheduler] : [scheduler, webhooks, retention]
    let exporter = exporter.map { [$0] } ?? []
    var configuration = ServiceGroupConfiguration(
      services: exporter + work + [web, ShutdownNotifier(renderEvents: renderEvents)],
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: log)
    configuration.maximumGracefulShutdownDuration = Bounded.seconds(settings.bounds.drain + 20)
    return ServiceGroup(configuration: configuration)
  }

  /// The desk that accepts renders: of a server that renders by itself, or of one whose workers are elsewhere.
  private func desk(
    _ parts: ClusterServices?, _ store: Store, _ data: DataFolder, _ reviews: ReviewDesk, _ renderEvents: RenderEvents,
    _ gauges: ServiceGauges, webhookIsDue: @escaping @Sendable () -> Void
  ) -> any RenderScheduling {
    guard let parts else {
      return LocalScheduler(
        settings: settings, store: store, data: data, reviews: reviews, renderEvents: renderEvents, gauges: gauges,
        log: log, webhookIsDue: webhookIsDue)
    }
    return ClusterScheduler(
      parts, settings: settings, store: store, data: data, reviews: reviews, renderEvents: renderEvents,
      gauges: gauges, log: log, webhookIsDue: webhookIsDue)
  }

  private static func fault(_ error: any Error, _ settings: ServiceSettings) -> Fault {
    if let error = error as? IOError {
      let reason = SystemError(error.errnoCode)
      let hint = error.errnoCode == EADDRINUSE ? "; choose another --port, or 0 for a free port" : ""
      return .request("address-unusable", "can't listen on \(settings.host):\(settings.port): \(reason)\(hint)")
    }
    return .engine("server-failed", "the server failed: \(error)")
  }
}

/// Ends the waiting of clients when the server is shut down; their renders go on.
struct ShutdownNotifier: Service {
  let renderEvents: RenderEvents

  func run() async throws {
    try? await gracefulShutdown()
    renderEvents.close()
  }
}

/// Locks a data folder against a second server. The lock ends with the process, even in a crash.
final class DataLock: Sendable {
  private let file: Int32

  init(_ folder: String) throws(Fault) {
    let path = "\(folder)/lock"
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .request("data-unwritable", "can't write to \(path)") }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw .request("data-in-use", "another server uses \(folder)")
    }
  }

  deinit { close(file) }
}
