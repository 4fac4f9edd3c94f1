internal import Core
internal import Device
internal import RenderModel
internal import WebKitRuntime

/// A web session for one render, and what lends its page a web process already started.
struct Seat {
  let session: WebSession
  /// An empty page whose web process runs; nil starts one with the creative's page.
  let starter: WebView?
  /// The time its web processes live in; nil for the machine's.
  let clock: SteppedClock?
  /// The creative's own host under the creative scheme.
  let host: String
  /// Whether the session serves further renders.
  let isShared: Bool
  /// The way to the network; nil where pages go by themselves.
  let outlet: Outlet?
}

/// Hands out web sessions: a new one with a new web process each, or for trusted creatives one with a new origin each.
@WebKitActor final class SessionPool {
  private let environment: Renderer.Environment
  private var prepared: (key: Key, seat: Seat)?
  private var shared: (key: Key, seat: Seat, uses: Int)?
  private var hosts = 0
  /// A shared web process is replaced after so many creatives, so that nothing piles up in it.
  private static let longestShare = 200

  /// What a session is set up with, and so may only be handed to a job that asks for the same.
  private struct Key: Equatable {
    var memory: Int
    var network: NetworkReach
    var clock: RenderOptions.Clock
  }

  /// Holds no page, but the network process that all sessions share: a new one each costs as much as a render.
  ///
  /// Made with the first seat, so that it starts as that seat's web processes do.
  private var keeper: WebSession?

  /// One for each reach that jobs asked for.
  private var outlets: [NetworkReach: Outlet] = [:]

  init(environment: Renderer.Environment) {
    self.environment = environment
  }

  /// Starts a session and its web process ahead.
  func prepare(for job: RenderJob) {
    // A web process that waits is in another state than a new one, which a clock that stands still would show.
    guard job.options.clock == .real, job.options.isolation == .process, prepared?.key != key(of: job) else { return }
    let outlet = outlets[job.options.network]
    guard outlet != nil || job.options.network.kind == .any else { return }
    prepared = (key(of: job), makeSeat(for: job, host: "ad", isShared: false, outlet))
  }

  /// A session for the job; the fault is the machine's.
  func take(for job: RenderJob) async throws(Fault) -> Seat {
    let outlet = try await outlet(for: job.options.network)
    guard job.options.isolation == .session else {
      defer { prepared = nil }
      if let prepared, prepared.key == key(of: job) { return prepared.seat }
      return makeSeat(for: job, host: "ad", isShared: false, outlet)
    }
    return await takeShared(for: job, outlet)
  }

  private func outlet(for reach: NetworkReach) async throws(Fault) -> Outlet? {
    guard reach.kind != .any else { return nil }
    if let outlet = outlets[reach] { return outlet }
    let outlet = try await Outlet.open(reach)
    outlets[reach] = outlet
    return outlet
  }

  private func takeShared(for job: RenderJob, _ outlet: Outlet?) async -> Seat {
    let key = key(of: job)
    if let last = shared {
      let mayServe = last.key == key && last.uses < Self.longestShare
      if !(mayServe ? await isIdle(last.seat) : false) {
        last.seat.starter?.terminate()
        shared = nil
      }
    }
    if shared == nil { shared = (key, makeSeat(for: job, host: "ad", isShared: true, outlet), 0) }
    hosts += 1
    guard let current = shared else { return makeSeat(for: job, host: "ad", isShared: false, outlet) }
    shared?.uses += 1
    return Seat(
      session: current.seat.session, starter: current.seat.starter, clock: current.seat.clock, host: "ad-\(hosts)",
      isShared: true, outlet: outlet)
  }

  /// Clears what the last creative stored and says whether its web process lives and answers.
  ///
  /// A creative whose render is over may still hold the process with a script that never yields.
  private func isIdle(_ seat: Seat) async -> Bool {
    let (answers, answer) = AsyncStream<Bool>.makeStream()
    let question = Task { @WebKitActor in
      await seat.session.clear()
      answer.yield((try? await seat.starter?.call("return 1")) != nil)
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

  private func makeSeat(for job: RenderJob, host: String, isShared: Bool, _ outlet: Outlet?) -> Seat {
    let screen = job.device.screen
    WebKitEngine.setFirstScreen(
      width: Bounded.int(screen.width, in: WebView.sides), height: Bounded.int(screen.height, in: WebView.sides),
      scale: job.device.renderScale)
    let clock = makeClock(for: job)
    // A network process is watched from its start or never.
    if let clock, !clock.watchesNetwork { (keeper, prepared, shared) = (nil, nil, nil) }
    if keeper == nil { keeper = makeKeeper() }
    let session = WebSession(
      WebSession.Configuration(
        memoryLimit: job.limits.memory, sandbox: environment.sandbox, reach: Self.reach(of: job),
        proxy: proxy(for: job, outlet), extensionDirectory: environment.extensionDirectory, clock: clock))
    let starter = WebView(
      session: session,
      configuration: WebView.Configuration(
        width: 1, height: 1, userAgent: job.device.userAgent, touch: job.device.touch))
    starter.load("about:blank")
    return Seat(session: session, starter: starter, clock: clock, host: host, isShared: isShared, outlet: outlet)
  }

  /// With the network off the web process itself sends nothing, so that no proxy or name server is asked.
  private static func reach(of job: RenderJob) -> WebReach {
    guard job.options.network.kind == .none else { return .names }
    return job.options.network.allowed.isEmpty ? .nothing : .numbers
  }

  /// The operator's own proxy, which is trusted with what may be reached, else the way out that the job allows.
  private func proxy(for job: RenderJob, _ outlet: Outlet?) -> String? {
    let own = outlet.map { "http://127.0.0.1:\($0.port)" }
    return job.options.network.kind == .none ? own : environment.proxy ?? own
  }

  private func makeKeeper() -> WebSession {
    var configuration = WebSession.Configuration(sandbox: environment.sandbox)
    configuration.isKeeper = true
    return WebSession(configuration)
  }

  /// Nil for the machine's time, and where no other can be had, which the render notes.
  private func makeClock(for job: RenderJob) -> SteppedClock? {
    guard job.options.clock == .virtual, environment.extensionDirectory != nil else { return nil }
    return try? SteppedClock()
  }

  private func key(of job: RenderJob) -> Key {
    Key(memory: job.limits.memory, network: job.options.network, clock: job.options.clock)
  }
}
