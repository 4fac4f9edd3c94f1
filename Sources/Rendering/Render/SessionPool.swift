internal import Core
internal import Device
internal import RenderModel
internal import WebKitRuntime

/// A web session for one render, and what lends its page a web process already started.
struct SessionLease {
  let session: WebSession
  /// An empty page whose web process runs; nil starts one with the creative's page.
  let prewarmedView: WebView?
  /// The time its web processes live in; nil for the machine's.
  let clock: VirtualClock?
  /// The creative's own host under the creative scheme.
  let host: String
  /// Whether the session serves further renders.
  let isShared: Bool
  /// The way to the network; nil where pages go by themselves.
  let gateway: EgressGateway?
  /// What goes through a recorder of the render's own; nil where there is none.
  var traffic: Traffic?
}

/// Hands out web sessions: a new one with a new web process each, or for trusted creatives one with a new origin each.
@WebKitActor final class SessionPool {
  private let environment: Renderer.Environment
  private var prepared: (key: Key, lease: SessionLease)?
  private var shared: (key: Key, lease: SessionLease, uses: Int)?
  private var hosts = 0
  /// A shared web process is replaced after so many creatives, so that nothing piles up in it.
  private static let longestShare = 200

  /// What a session is set up with, and so may only be handed to a job that asks for the same.
  private struct Key: Equatable {
    var memory: Int
    var network: NetworkPolicy
    var clock: RenderOptions.Clock
    var seed: UInt32?
  }

  /// Holds no page, but the network process that all sessions share: a new one each costs as much as a render.
  ///
  /// Made with the first seat, so that it starts as that seat's web processes do.
  private var networkAnchor: WebSession?

  /// One for each reach that jobs asked for.
  private var outlets: [NetworkPolicy: EgressGateway] = [:]

  init(environment: Renderer.Environment) {
    self.environment = environment
  }

  /// Starts a session and its web process ahead.
  func prepare(for job: RenderJob) {
    // A web process that waits is in another state than a new one, which a clock that stands still would show.
    guard job.options.clock == .real, job.options.isolation == .process, job.options.traffic == nil,
      prepared?.key != key(of: job)
    else { return }
    let gateway = outlets[job.options.network]
    guard gateway != nil || job.options.network.kind == .any else { return }
    prepared = (key(of: job), makeLease(for: job, host: "ad", isShared: false, gateway))
  }

  /// A session for the job; the fault is the machine's.
  ///
  /// - Parameter isOnePage: whether the creative is a page from the start, which then starts its web process itself.
  func takeLease(for job: RenderJob, isOnePage: Bool) async throws(Fault) -> SessionLease {
    if let options = job.options.traffic {
      // An operator's proxy decides what may be reached, and a recorder goes its own way.
      guard environment.proxy == nil || options.mode == .replay else {
        throw .request("recording-behind-proxy", "the network can't be recorded or slowed down behind GALLEY_PROXY")
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

  /// Clears what the last creative stored and says whether its web process lives and answers.
  ///
  /// A creative whose render is over may still hold the process with a script that never yields.
  private func isIdle(_ lease: SessionLease) async -> Bool {
    let (answers, answer) = AsyncStream<Bool>.makeStream()
    let question = Task { @WebKitActor in
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

  /// What a shared web process may take to answer.
  private static let patience = Duration.seconds(1)

  private func makeLease(
    for job: RenderJob, host: String, isShared: Bool, _ gateway: EgressGateway?, trustsProxy: Bool = false
  ) -> SessionLease {
    let (session, clock) = makeSession(for: job, gateway, trustsProxy: trustsProxy)
    let prewarmedView = WebView(
      session: session,
      configuration: WebView.Configuration(
        width: 1, height: 1, userAgent: job.device.userAgent, touch: job.device.touch))
    prewarmedView.load("about:blank")
    return SessionLease(
      session: session, prewarmedView: prewarmedView, clock: clock, host: host, isShared: isShared, gateway: gateway)
  }

  /// Without an empty page, which costs as much as a small ad's; nil in the machine's time, where that hides the wait for
  /// the web process.
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
    configuration.asksAllAtOnce = job.options.traffic?.isScheduled == true
    ForkServer.seed(job.options.seed)
    return (WebSession(configuration), clock)
  }

  /// With the network off the web process itself sends nothing, so that no proxy or name server is asked.
  private static func reach(of job: RenderJob) -> WebReach {
    guard job.options.network.kind == .none else { return .names }
    // With a recording the recorder answers, and speaks to nobody.
    if [.replay, .replayOrLive].contains(job.options.traffic?.mode) { return .names }
    return job.options.network.allowed.isEmpty ? .nothing : .numbers
  }

  /// The operator's own proxy, which is trusted with what may be reached, else the way out that the job allows.
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

  /// Nil for the machine's time, and where no other can be had, which the render notes.
  private func makeClock(for job: RenderJob) -> VirtualClock? {
    guard job.options.clock == .virtual, environment.extensionDirectory != nil else { return nil }
    return try? VirtualClock()
  }

  private func key(of job: RenderJob) -> Key {
    Key(memory: job.limits.memory, network: job.options.network, clock: job.options.clock, seed: job.options.seed)
  }
}
