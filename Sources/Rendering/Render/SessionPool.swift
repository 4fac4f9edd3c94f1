internal import Core
internal import Device
internal import Engine
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Web session for one render, and a view that lends its page a web process already started.
struct SessionLease {
  let session: WebSession
  /// Empty page whose web process is running; nil starts one with the creative's page.
  let prewarmedView: WebView?
  /// Virtual clock of the session's web processes; nil for the machine's time.
  let clock: VirtualClock?
  /// Host of the creative's own files under the creative scheme.
  let host: String
  /// Indicates if the session serves further renders.
  let isShared: Bool
  /// Network access; nil where pages connect directly.
  let gateway: EgressGateway?
  /// Traffic through the render's own recorder; nil where there is none.
  var traffic: Traffic?
}

/// Provides web sessions: each with a new web process or, for trusted creatives, a shared one with a new origin for
/// each.
@EngineActor final class SessionPool {
  private let environment: Renderer.Environment
  private var prepared: (key: Key, lease: SessionLease)?
  private var shared: (key: Key, lease: SessionLease, uses: Int)?
  private var hosts = 0
  /// Number of creatives after which a shared web process is replaced, so that no state accumulates in it.
  private static let longestShare = 200

  /// Settings of a session, which may only be given to a job with equal settings.
  private struct Key: Equatable {
    var memory: Int
    var network: NetworkPolicy
    var clock: RenderOptions.Clock
    var seed: UInt32?
    var settings: UserSettings
    var containerScripts: [String]
  }

  /// Session without pages that keeps the network process which all sessions share; a new one each time costs as much
  /// as a render.
  ///
  /// It is created with the first session, so that its process starts in the same way as that session's web processes.
  private var networkAnchor: WebSession?

  /// Language of the session that was created last; nil for the standard.
  private var latest: LanguageTag?

  /// Gateways by the network policy that jobs asked for.
  private var outlets: [NetworkPolicy: EgressGateway] = [:]

  init(environment: Renderer.Environment) {
    self.environment = environment
  }

  /// Starts a session and its web process in advance.
  func prepare(for job: RenderJob) {
    // A web process that waits is in another state than a new one, which a clock that stands still would show.
    guard job.options.clock == .real, job.options.isolation == .process, job.options.traffic == nil,
      prepared?.key != key(of: job)
    else { return }
    // The network process has one language, which is that of the session that was made last.
    guard job.options.settings.locale == latest else { return }
    let gateway = outlets[job.options.network]
    guard gateway != nil || job.options.network.kind == .any else { return }
    prepared = (key(of: job), makeLease(for: job, host: "ad", isShared: false, gateway))
  }

  /// Returns a session for the job; a fault is the machine's, or a recording behind the operator's proxy.
  ///
  /// - Parameter isOnePage: indicates that the creative is a page from the start, which then starts its web process
  ///   itself.
  func takeLease(for job: RenderJob, isOnePage: Bool) async throws(Fault) -> SessionLease {
    if let options = job.options.traffic {
      // An operator's proxy decides what may be reached, and a recorder goes its own way.
      guard environment.proxy == nil || options.mode == .replay else {
        throw .request("recording-behind-proxy", "can't record or slow down the network with GALLEY_PROXY")
      }
      // A recorder is one render's, and so is the session that trusts it.
      let traffic = try Traffic.open(job, options, programs: environment.extensionDirectory)
      let page = isOnePage ? makeLeaseOfPage(for: job, traffic.gateway, trustsProxy: true) : nil
      var lease = page ?? makeLease(for: job, host: "ad", isShared: false, traffic.gateway, trustsProxy: true)
      lease.traffic = traffic
      return lease
    }
    let gateway = try await gateway(for: job.options.network)
    guard job.options.isolation == .session else {
      defer { prepared = nil }
      if let prepared, prepared.key == key(of: job) { return prepared.lease }
      if isOnePage, let lease = makeLeaseOfPage(for: job, gateway) { return lease }
      return makeLease(for: job, host: "ad", isShared: false, gateway)
    }
    return await takeShared(for: job, gateway)
  }

  private func gateway(for reach: NetworkPolicy) async throws(Fault) -> EgressGateway? {
    guard reach.kind != .any else { return nil }
    if let gateway = outlets[reach] { return gateway }
    let gateway = try await EgressGateway.open(reach)
    outlets[reach] = gateway
    return gateway
  }

  private func takeShared(for job: RenderJob, _ gateway: EgressGateway?) async -> SessionLease {
    let key = key(of: job)
    if let last = shared {
      let mayServe = last.key == key && last.uses < Self.longestShare
      if !(mayServe ? await isIdle(last.lease) : false) {
        last.lease.prewarmedView?.terminate()
        shared = nil
      }
    }
    if shared == nil { shared = (key, makeLease(for: job, host: "ad", isShared: true, gateway), 0) }
    hosts += 1
    guard let current = shared else { return makeLease(for: job, host: "ad", isShared: false, gateway) }
    shared?.uses += 1
    return SessionLease(
      session: current.lease.session, prewarmedView: current.lease.prewarmedView, clock: current.lease.clock,
      host: "ad-\(hosts)",
      isShared: true, gateway: gateway)
  }

  /// Clears the data that the last creative stored; returns true if its web process is alive and answers.
  ///
  /// A creative whose render is over may still block the process with a script that never yields.
  private func isIdle(_ lease: SessionLease) async -> Bool {
    let (answers, answer) = AsyncStream<Bool>.makeStream()
    let question = Task { @EngineActor in
      await lease.session.clear()
      answer.yield((try? await lease.prewarmedView?.call("return 1")) != nil)
    }
    let patience = Task {
      try await Task.sleep(for: Self.patience)
      answer.yield(false)
    }
    defer {
      question.cancel()
      patience.cancel()
    }
    for await isIdle in answers { return isIdle }
    return false
  }

  /// Time that a shared web process has to answer.
  private static let patience = Duration.seconds(1)

  private func makeLease(
    for job: RenderJob, host: String, isShared: Bool, _ gateway: EgressGateway?, trustsProxy: Bool = false
  ) -> SessionLease {
    let (session, clock) = makeSession(for: job, gateway, trustsProxy: trustsProxy)
    var configuration = WebView.Configuration(
      width: 1, height: 1, userAgent: job.device.userAgent, touch: job.device.touch)
    configuration.takePreferences(of: job)
    let prewarmedView = WebView(session: session, configuration: configuration)
    prewarmedView.load("about:blank")
    return SessionLease(
      session: session, prewarmedView: prewarmedView, clock: clock, host: host, isShared: isShared, gateway: gateway)
  }

  /// Creates a session without an empty page, which costs as much as a small ad's page; nil with the machine's time.
  ///
  /// With the machine's time, an empty page hides the wait for the web process.
  private func makeLeaseOfPage(
    for job: RenderJob, _ gateway: EgressGateway?, trustsProxy: Bool = false
  ) -> SessionLease? {
    guard job.options.clock == .virtual else { return nil }
    let (session, clock) = makeSession(for: job, gateway, trustsProxy: trustsProxy)
    return SessionLease(
      session: session, prewarmedView: nil, clock: clock, host: "ad", isShared: false, gateway: gateway)
  }

  private func makeSession(
    for job: RenderJob, _ gateway: EgressGateway?, trustsProxy: Bool
  ) -> (WebSession, VirtualClock?) {
    let screen = job.device.screen
    WebKitEngine.setFirstScreen(
      width: Bounded.int(screen.width, in: WebView.sides), height: Bounded.int(screen.height, in: WebView.sides),
      scale: job.device.renderScale)
    let clock = makeClock(for: job)
    // A network process is watched from its start or never.
    if let clock, !clock.watchesNetwork { (networkAnchor, prepared, shared) = (nil, nil, nil) }
    if networkAnchor == nil { networkAnchor = makeNetworkAnchor() }
    var configuration = WebSession.Configuration(
      memoryLimit: job.limits.memory, sandbox: environment.sandbox, reach: Self.reach(of: job),
      proxy: proxy(for: job, gateway), extensionDirectory: environment.extensionDirectory, clock: clock)
    configuration.trustsProxy = trustsProxy
    configuration.containerScripts = Self.containerScripts(of: job)
    configuration.asksAllAtOnce = job.options.traffic?.isScheduled == true
    let settings = job.options.settings
    configuration.language = (settings.locale ?? .standard).text
    ForkServer.seed(job.options.seed)
    ForkServer.setTimeZone((settings.timeZone ?? .standard).text)
    latest = settings.locale
    return (WebSession(configuration), clock)
  }

  /// Names of the scripts that the job's container answers itself.
  private static func containerScripts(of job: RenderJob) -> [String] {
    (job.container?.behaviour ?? .spec).scripts
  }

  /// Network reach of the web process. With the network off it sends nothing, so that no proxy or name server is asked.
  private static func reach(of job: RenderJob) -> WebReach {
    guard job.options.network.kind == .none else { return .names }
    // With a recording the recorder answers, and speaks to nobody.
    if [.replay, .replayOrLive].contains(job.options.traffic?.mode) { return .names }
    return job.options.network.allowed.isEmpty ? .nothing : .numbers
  }

  /// Address of the operator's proxy, which decides what may be reached, or else of the gateway that the job allows.
  private func proxy(for job: RenderJob, _ gateway: EgressGateway?) -> String? {
    let own = gateway.map { "http://127.0.0.1:\($0.port)" }
    if job.options.traffic != nil { return own }
    return job.options.network.kind == .none ? own : environment.proxy ?? own
  }

  private func makeNetworkAnchor() -> WebSession {
    var configuration = WebSession.Configuration(sandbox: environment.sandbox)
    configuration.keepsNetworkProcess = true
    return WebSession(configuration)
  }

  /// Creates a virtual clock; nil for the machine's time, or if none is available, which the render notes.
  private func makeClock(for job: RenderJob) -> VirtualClock? {
    guard job.options.clock == .virtual, environment.extensionDirectory != nil else { return nil }
    return try? VirtualClock()
  }

  private func key(of job: RenderJob) -> Key {
    Key(
      memory: job.limits.memory, network: job.options.network, clock: job.options.clock, seed: job.options.seed,
      settings: job.options.settings, containerScripts: Self.containerScripts(of: job))
  }
}
