package import Core
internal import FoundationEssentials
internal import Glibc
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import UnixSignals

/// The whole server: its parts, the order in which they start, and the reverse in which they end.
package struct GalleyServer: Sendable {
  private let settings: ServiceSettings
  private let log: Logger

  package init(_ settings: ServiceSettings, verbose: Bool = false) {
    self.settings = settings
    var log = Logger(label: "galley") { PrintableLog(StreamLogHandler.standardError(label: $0)) }
    log.logLevel = verbose ? .info : .notice
    self.log = log
  }

  /// Serves until a signal says to stop; `ready` hears the address.
  package func run(ready: @escaping @Sendable (_ address: String) -> Void) async throws(Fault) {
    if settings.tokens == nil, !["127.0.0.1", "::1", "localhost"].contains(settings.host) {
      throw .request(
        "tokens-missing", "\(settings.host) can be reached by others: serve there only with --tokens, or on 127.0.0.1")
    }
    let data = try DataFolder(settings.data)
    let lock = try DataLock(data.path)
    let store = try Store(folder: data.path, mayBegin: data.found.isEmpty)
    let authenticator = try Authenticator(settings.tokens.map { TokenFile($0) })
    let signature = try WebhookSecret(file: settings.secret ?? "\(data.path)/webhook-secret").signature()
    let pages = try PageLibrary()
    let links = try ShareLinks(file: "\(data.path)/share-key", mostDays: settings.shareDays)
    let approver = Approver(data)
    // Before anything else runs: it changes the environment for a moment.
    await approver.measure()
    do {
      try await services(data, store, authenticator, signature, pages, links, approver, ready).run()
    } catch {
      throw error as? Fault ?? Self.fault(error, settings)
    }
    withExtendedLifetime(lock) {}
  }

  private func services(
    _ data: DataFolder, _ store: Store, _ authenticator: Authenticator, _ signature: WebhookSignature,
    _ pages: PageLibrary, _ links: ShareLinks, _ approver: Approver,
    _ ready: @escaping @Sendable (String) -> Void
  ) -> ServiceGroup {
    let gauges = ServiceGauges()
    let renderEvents = RenderEvents()
    let (wake, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reviews = ReviewDesk(
      store: store, data: data, approver: approver, base: settings.publicAddress, webhookIsDue: { waker.yield() })
    let scheduler = RenderScheduler(
      settings: settings, store: store, data: data, reviews: reviews, renderEvents: renderEvents, gauges: gauges, log: log,
      webhookIsDue: { waker.yield() })
    let webhooks = WebhookSender(
      store: store, signature: signature, allowsPrivate: settings.allowsPrivateNetwork,
      proxy: settings.proxy.flatMap(ProxyAddress.init), gauges: gauges,
      log: log, wake: wake, waker: waker)
    let retention = Retention(
      store: store, data: data, days: settings.bounds.days, bytes: settings.bounds.bytes,
      losses: settings.bounds.losses, log: log)
    let renders = RenderAPI(
      scheduler: scheduler, store: store, data: data, renderEvents: renderEvents, authenticator: authenticator,
      bounds: settings.bounds,
      allowsPrivate: settings.allowsPrivateNetwork)
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
    var configuration = ServiceGroupConfiguration(
      services: [webhooks, retention, scheduler, web, ShutdownNotifier(renderEvents: renderEvents)],
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: log)
    configuration.maximumGracefulShutdownDuration = Bounded.seconds(settings.bounds.drain + 20)
    return ServiceGroup(configuration: configuration)
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
