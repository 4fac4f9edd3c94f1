internal import Core
internal import Engine
internal import Foundation
internal import Hosting
internal import Recordings
internal import RenderModel
internal import WebKitRuntime

/// Requests of a render on their way through its recorder: those that wait, the next one to send, and the missing ones.
@EngineActor final class Traffic {
  private let options: TrafficOptions
  private var process: RecorderProcess?
  private var schedule: NetworkSchedule
  private weak var clock: RenderClock?
  private let refusals = EgressRefusals()
  /// Number of requests that wait for the network itself.
  private var starved = 0
  /// Number of changes so far, which only rises.
  private var changes = 0
  /// State of the recorder and the network process when the recorder was last asked; nil before the first time.
  private var rested: (activity: Int, turns: UInt32, changes: Int)?
  /// Number of checks left of whether the network process has read the last piece sent; 0 once it has.
  private var unread = 0
  private var syncs = 0
  private var syncWaits: [Int: Wakeup<Int>] = [:]
  private var beginWait: Wakeup<Void>?
  private var endWait: Wakeup<Void>?
  private var hasBegun = false
  private var isOver = false
  private var fault: Fault?
  private(set) var missing: [MissingRequest] = []
  private var wake: Task<Void, Never>?
  private var release: Task<Void, Never>?

  /// Maximum number of missing requests that warnings name one by one.
  private static let mostTold = 10
  private static let mostKept = 1_000
  private static let patience = Duration.seconds(10)

  private init(_ options: TrafficOptions, _ profile: NetworkProfile?) {
    self.options = options
    schedule = NetworkSchedule(profile: profile)
  }

  /// Number of checks of whether the network process has read a piece; it never reads one without bytes.
  private static let mostUnread = 5

  /// Opens the way for a job's requests; those that come before the recorder has started wait for it.
  static func open(_ job: RenderJob, _ options: TrafficOptions, programs: String?) throws(Fault) -> Traffic {
    let profile = try options.profile.map { text throws(Fault) in try NetworkProfile(parsing: text) }
    let traffic = Traffic(options, profile)
    let network = job.options.network
    var setup = RecorderSetup(
      source: options.source,
      folder: options.mode == .record ? "\(job.output)/\(ResultFolder.recording)" : options.folder,
      allowed: network.allowed, isClosed: network.kind == .none, isOpen: network.kind == .any, faults: options.faults,
      isScheduled: options.isScheduled)
    if let rate = profile?.down, options.isScheduled {
      setup.pieceSize = Bounded.int(rate / 60, in: 1_024...(1 << 20))
    }
    traffic.process = try RecorderProcess.start(in: programs, setup) { [weak traffic] in traffic?.hear($0) }
    return traffic
  }

  /// Gateway through the recorder; nil without a process.
  var gateway: EgressGateway? { process.map { EgressGateway(port: $0.port, refusals: refusals) } }

  /// Indicates that pieces are sent at scheduled instants, and time waits for these rather than for open requests.
  var isScheduled: Bool { options.isScheduled }

  /// Makes the render's clock the source of time.
  func attach(to clock: RenderClock) { self.clock = clock }

  /// Releases the next piece due at this instant; false if something has happened and the caller has to check
  /// everything again.
  func turn(_ time: VirtualTime, until last: ContinuousClock.Instant) async -> Bool {
    guard !isOver, let process else { return true }
    let turns = time.networkTurns
    let before = rested
    guard await ask(turns) else { return true }
    // It says nothing to anybody who has said nothing to it, but for what it is let send.
    guard let before, let rested, before.activity == rested.activity, before.changes == rested.changes,
      time.networkTurns == turns, await isRead(turns, since: before.turns)
    else { return false }
    if starved > 0, ContinuousClock.now < last {
      try? await Task.sleep(for: .milliseconds(1))
      return false
    }
    let instant = clock?.now ?? .zero
    schedule.place(at: instant)
    if let (piece, isLost) = schedule.takeDue(at: instant) {
      process.tell(
        isLost ? .drop(piece: piece.piece) : .release(piece: piece.piece, now: instant / .milliseconds(1)))
      unread = Self.mostUnread
      _ = await ask(turns)
      return false
    }
    awaitNext()
    return true
  }

  /// Indicates that nothing has arrived since everything was at rest.
  func isQuiet(_ time: VirtualTime) -> Bool {
    isOver || rested.map { $0.changes == changes && $0.turns == time.networkTurns } ?? false
  }

  /// Indicates that a piece was sent which the network process isn't known to have read.
  var hasJustSent: Bool { !isOver && unread > 0 }

  /// Instant at which the next piece is due, in whole microseconds, as the engine's main loop counts; nil for none.
  var nextDue: Duration? {
    guard !isOver, let next = schedule.next else { return nil }
    return .microseconds(Bounded.int(next / .microseconds(1), in: 0...Int.max, rounding: .up))
  }

  /// Indicates if pieces remain to be sent.
  var hasDue: Bool { !isOver && !schedule.isEmpty }

  /// Indicates if pieces of a video remain to be sent.
  var hasFilmDue: Bool { !isOver && schedule.has { $0.exchange >= ScheduledChunk.firstFilm } }

  /// Ends the recorder after it has written all data that it keeps; returns warnings about its findings.
  func end() async -> [String] {
    wake?.cancel()
    release?.cancel()
    guard !isOver, let process else { return warnings }
    process.tell(.finish)
    let patience = Task { @EngineActor [weak self] in
      try await Task.sleep(for: Self.patience)
      self?.finish()
    }
    await EngineActor.wait { wakeup in isOver ? wakeup.resume() : (endWait = wakeup) }
    patience.cancel()
    return warnings
  }

  private var warnings: [String] {
    var lines = missing.prefix(Self.mostTold).map { request in
      let nearest = request.nearest.isEmpty ? "nor a similar one" : request.nearest
      return "the recording has no \(request.method) \(request.url.cut(to: 300)): \(nearest)"
    }
    if missing.count > Self.mostTold {
      lines.append("the recording lacks \(missing.count - Self.mostTold) more requests")
    }
    if let fault { lines.append("\(fault.message) [\(fault.code)]") }
    return lines
  }

  /// Returns once the recorder answers requests; any reason why it hasn't started is a fault of the machine.
  func awaitBegin() async throws(Fault) {
    let patience = Task { @EngineActor [weak self] in
      try await Task.sleep(for: Self.patience)
      self?.beginWait?.resume()
      self?.beginWait = nil
    }
    defer { patience.cancel() }
    await EngineActor.wait { wakeup in hasBegun || isOver ? wakeup.resume() : (beginWait = wakeup) }
    guard hasBegun else {
      throw fault ?? .engine("recorder-failed", "the recorder didn't start within \(Self.patience)")
    }
  }

  /// Asks the recorder for its activity so far, at this number of turns of the network process; false if it is gone.
  private func ask(_ turns: UInt32) async -> Bool {
    guard let activity = await sync() else { return false }
    rested = (activity, turns, changes)
    return true
  }

  /// Indicates if the network process has read the last piece sent, which it has if it turned since.
  ///
  /// Written data may take a moment to reach it.
  private func isRead(_ turns: UInt32, since before: UInt32) async -> Bool {
    guard unread > 0 else { return true }
    guard turns == before else {
      unread = 0
      return true
    }
    unread -= 1
    try? await Task.sleep(for: .milliseconds(1))
    return unread == 0
  }

  /// Activity of the recorder so far, as a number; nil if it is gone.
  private func sync() async -> Int? {
    guard !isOver, let process else { return nil }
    syncs += 1
    let number = syncs
    let answer = await EngineActor.wait { (wakeup: Wakeup<Int>) in
      syncWaits[number] = wakeup
      process.tell(.sync(number))
    }
    return isOver ? nil : answer
  }

  private func hear(_ event: RecorderEvent) {
    switch event {
    case .synced(let number, let activity): syncWaits.removeValue(forKey: number)?.resume(returning: activity)
    case .ready:
      hasBegun = true
      beginWait?.resume()
      beginWait = nil
    case .due(let piece): take(piece)
    case .withdrawn(let piece): schedule.remove(piece)
    case .fetching(let count): starved = count
    case .refused(let host, let code): refusals.add(host: host, code: code)
    case .missing(let request):
      // An engine asks once more where a connection ended that had served before.
      if missing.count < Self.mostKept, !missing.contains(request) { missing.append(request) }
    case .failed(let fault):
      self.fault = self.fault ?? fault
      if !hasBegun { finish() }
    case .finished: finish()
    case .ended:
      if !isOver { fault = fault ?? .engine("recorder-failed", "the recorder ended during the render") }
      finish()
    }
    switch event {
    case .synced, .ready: break
    default: changes += 1
    }
  }

  private func take(_ piece: ScheduledChunk) {
    guard isScheduled else {
      process?.tell(.release(piece: piece.piece, now: (clock?.now ?? .zero) / .milliseconds(1)))
      return
    }
    schedule.add(piece)
    guard let clock, !clock.isVirtual else { return }
    // By the machine's time whatever is due goes.
    schedule.place(at: clock.now)
    releaseDue()
  }

  private func releaseDue() {
    guard let clock, let process, !isOver else { return }
    release?.cancel()
    let now = clock.now
    while let (piece, isLost) = schedule.takeDue(at: now) {
      process.tell(isLost ? .drop(piece: piece.piece) : .release(piece: piece.piece, now: now / .milliseconds(1)))
    }
    guard let next = schedule.next else { return }
    release = Task { @EngineActor [weak self] in
      guard (try? await Task.sleep(for: next - now)) != nil else { return }
      self?.releaseDue()
    }
  }

  /// Makes time stop at the next instant at which a piece is due.
  private func awaitNext() {
    wake?.cancel()
    guard let next = schedule.next, let clock else { return }
    wake = Task { @EngineActor in await clock.comes(to: next) }
  }

  private func finish() {
    isOver = true
    process?.end()
    for wait in syncWaits.values { wait.resume(returning: 0) }
    syncWaits = [:]
    beginWait?.resume()
    beginWait = nil
    endWait?.resume()
    endWait = nil
  }
}

extension TrafficOptions {
  fileprivate var source: RecorderSetup.Source {
    switch mode {
    case .live: .network
    case .record: .recording
    case .replay: .replay
    case .replayOrLive: .replayOrNetwork
    }
  }
}
