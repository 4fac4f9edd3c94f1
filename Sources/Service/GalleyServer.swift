package import Core
internal import FoundationEssentials
internal import Glibc
internal import Hummingbird
internal import Logging
internal import NIOCore
package import Queue
internal import ServiceLifecycle
internal import UnixSignals

/// The whole server: its parts, the order in which they start, and the reverse in which they end.
package struct GalleyServer: Sendable {
  private let settings: ServiceSettings
  /// The queue that it shares with other servers and with workers; nil for a server that renders by itself.
  private let farm: FarmSettings?
  private let log: Logger
  /// Where spans go; nil where nothing is traced.
  private let exporter: SpanExporter?

  package init(
    _ settings: ServiceSettings, farm: FarmSettings? = nil, tracing: TracingSettings? = nil, verbose: Bool = false
  ) {
    (self.settings, self.farm) = (settings, farm)
    log = ServiceLog.make(verbose: verbose)
    exporter = SpanExporter.begin(tracing, log: log)
  }

  /// Serves until a signal says to stop; `ready` hears the address.
  package func run(ready: @escaping @Sendable (_ address: String) -> Void) async throws(Fault) {
    if settings.tokens == nil, !["127.0.0.1", "::1", "localhost"].contains(settings.host) {
      throw .request(
        "tokens-missing", "\(settings.host) can be reached by others: serve there only with --tokens, or on 127.0.0.1")
    }
    var data = try DataFolder(settings.data)
    let lock = try DataLock(data.path)
    let (store, parts) = try await memory(&data)
    let authenticator = try Authenticator(settings.tokens.map { TokenFile($0) })
    if authenticator.letsNobodyIn {
      log.warning("nobody is let in: there is no token yet", metadata: ["file": "\(settings.tokens ?? "")"])
    }
    let signature = try WebhookSecret(file: settings.secret ?? "\(data.path)/webhook-secret").signature()
    let pages = try PageLibrary()
    let links = try ShareLinks(file: "\(data.path)/share-key", mostDays: settings.shareDays)
    let approver = Approver(data)
    // Before anything else runs: it changes the environment for a moment.
    await approver.measure()
    do {
      try await services(data, store, parts, authenticator, signature, pages, links, approver, ready).run()
    } catch {
      throw error as? Fault ?? Self.fault(error, settings)
    }
    withExtendedLifetime(lock) {}
  }

  /// Opens what the server remembers: its own, or a copy of what all servers of the queue do.
  private func memory(_ data: inout DataFolder) async throws(Fault) -> (Store, FarmParts?) {
    guard let settings = farm else {
      let store = try Store(folder: data.path, mayBegin: data.found.isEmpty)
      try await store.checkIsAlone()
      return (store, nil)
    }
    let farm = try await Farm.open(settings)
    try await Snapshot.restore(farm, to: data)
    let store = try Store(folder: data.path, isCopy: true)
    let parts = try await FarmParts.join(farm, store, &data, log: log)
    if self.settings.secret == nil {
      try await FarmParts.share(secret: "\(data.path)/webhook-secret", as: "webhook-secret", by: farm)
    }
    if self.settings.shareDays > 0 {
      try await FarmParts.share(secret: "\(data.path)/share-key", as: "share-key", by: farm)
    }
    return (store, parts)
  }

  private func services(
    _ data: DataFolder, _ store: Store, _ parts: FarmParts?, _ authenticator: Authenticator,
    _ signature: WebhookSignature, _ pages: PageLibrary, _ links: ShareLinks, _ approver: Approver,
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
      store: store, signature: signature, allowsPrivate: settings.allowsPrivateNetwork,
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
    let sessions = Sessions(authenticator: authenticator, store: store)
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

  /// Where renders are accepted: by a server that renders itself, or by one of many that have it done.
  private func desk(
    _ parts: FarmParts?, _ store: Store, _ data: DataFolder, _ reviews: ReviewDesk, _ renderEvents: RenderEvents,
    _ gauges: ServiceGauges, webhookIsDue: @escaping @Sendable () -> Void
  ) -> any RenderDesk {
    guard let parts else {
      return RenderScheduler(
        settings: settings, store: store, data: data, reviews: reviews, renderEvents: renderEvents, gauges: gauges,
        log: log, webhookIsDue: webhookIsDue)
    }
    return FarmDesk(
      parts, settings: settings, store: store, data: data, reviews: reviews, renderEvents: renderEvents,
      gauges: gauges, log: log, webhookIsDue: webhookIsDue)
  }

  private static func fault(_ error: any Error, _ settings: ServiceSettings) -> Fault {
    if let error = error as? IOError {
      let reason = "\(error)"
      return .request("address-unusable", "can't listen on \(settings.host):\(settings.port): \(reason)")
    }
    return .engine("server-failed", "the server failed: \(error)")
  }
}

/// Sends home whoever waits for a render when the server is told to stop; their renders go on.
struct ShutdownNotifier: Service {
  let renderEvents: RenderEvents

  func run() async throws {
    try? await gracefulShutdown()
    renderEvents.close()
  }
}

/// Keeps a second server out of a data folder; gone with the process, however that ends.
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
