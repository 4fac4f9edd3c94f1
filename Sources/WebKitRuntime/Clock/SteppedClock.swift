internal import CClock
internal import Glibc

/// The time of one session's web processes, which passes only as far as it is told to.
///
/// Every thread of a web process lives in it: scripts in all frames, animations, SMIL, images that move, and the engine's
/// own timers.
@WebKitActor package final class SteppedClock {
  /// No clock could be made.
  package struct SetUpError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
  }

  /// Nanoseconds at which the first render of a session begins.
  ///
  /// A machine's uptime is less, so time never runs backwards; and all sums up to twice this have the same precision as
  /// the doubles that the engine keeps its time in, so a session's renders are alike to the last bit.
  private static let firstEpoch: Int64 = (1 << 26) * 1_000_000_000
  /// From one render's beginning to the next one's, longer than any render.
  private static let betweenEpochs: Int64 = (1 << 18) * 1_000_000_000

  private let link: ClockLink
  private var epoch: Int64 = 0
  private var isStopped = false

  /// Makes a clock for web processes that start from now on; `library` is the path of the one that they are given.
  package init(library: String) throws(SetUpError) {
    guard access(library, R_OK) == 0 else { throw SetUpError("no library \(library)") }
    setenv("LD_PRELOAD", library, 1)
    // The engine shares out its time between the page and collecting garbage beside it: in time that stands still the one
    // would wait for the other for ever.
    setenv("JSC_useConcurrentGC", "0", 1)
    EngineActivity.watchNetwork()
    link = try ClockLink()
  }

  /// Where the session's web processes find the clock.
  var folder: String { link.folder }

  /// Whether a web process lives in it.
  package var isJoined: Bool { link.isJoined }

  /// Whether it waits for what is on its way through the network process as well; false for one that was there before
  /// the first clock.
  package var watchesNetwork: Bool { EngineActivity.watchesNetwork }

  /// Time since the render began.
  package var now: Duration { .nanoseconds(link.now - epoch) }

  /// When the next timer of the web process is due, as far as it knew when it last rested; a long time hence for none.
  package var nextTimer: Duration { .nanoseconds(max(link.now, link.due) - epoch) }

  /// Whether pages needn't paint, since nobody looks: their scripts, styles and layout go on. A picture makes it false.
  package var isUnseen: Bool {
    get { link.isUnseen }
    set { link.isUnseen = newValue }
  }

  /// Stops time at the beginning of a render; `date` is what scripts take for the day and hour, in seconds since 1970.
  package func begin(date: Double) {
    epoch = epoch == 0 ? Self.firstEpoch : epoch + Self.betweenEpochs
    isStopped = false
    isUnseen = false
    link.freeze(at: epoch, wall: Int64(date * 1_000) * 1_000_000)
  }

  /// Returns once all that was begun at this instant is done, by windows too; false when the clock was stopped.
  package func settle() async -> Bool {
    EngineActivity.syncWindows()
    return await WebKitActor.wait { wakeup in
      advance(to: now) { wakeup.resume(returning: $0) }
    }
  }

  /// Lets time pass, at once, while everything rests; to an instant before `nextTimer`.
  package func pass(to instant: Duration) { link.pass(to: nanoseconds(instant)) }

  /// Lets time pass up to this instant, timer by timer, and tells once all that follows has been done, in the web
  /// process, on the way between the processes, and here; false when the clock was stopped.
  ///
  /// There may be thousands of them in a render, and a task's waits would be hand-overs between threads.
  package func advance(to instant: Duration, then: @escaping @WebKitActor (Bool) -> Void) {
    look(at: nanoseconds(instant), then)
  }

  /// Looks at everyone after the last that the others did: at the web process after this one, at the network process
  /// after both, and at this one again in the end.
  private func look(at instant: Int64, _ then: @escaping @WebKitActor (Bool) -> Void) {
    guard !isStopped else { return then(false) }
    let (turns, rested) = (EngineActivity.turns, EngineActivity.rests)
    link.rests(at: instant) { [weak self] answered in
      guard let self, answered else { return then(false) }
      whenQuiet(since: turns) { [weak self] isQuiet in
        guard rested, isQuiet else { return self?.look(at: instant, then) ?? then(false) }
        self?.lookAtNetwork(since: turns, at: instant, then)
      }
    }
  }

  private func lookAtNetwork(since turns: UInt32, at instant: Int64, _ then: @escaping @WebKitActor (Bool) -> Void) {
    let before = EngineActivity.networkTurns
    EngineActivity.networkRests { [weak self] answered in
      guard let self, answered else { return then(false) }
      let hasRested = EngineActivity.networkTurns == before
      whenQuiet(since: turns) { [weak self] isQuiet in
        guard hasRested, isQuiet else { return self?.look(at: instant, then) ?? then(false) }
        then(true)
      }
    }
  }

  /// Tells, once everything here is done, whether nothing has come since the engine's threads had woken so often.
  private func whenQuiet(since turns: UInt32, _ then: @escaping @WebKitActor (Bool) -> Void) {
    WebKitActor.whenIdle { then(EngineActivity.rests && EngineActivity.turns == turns && !Wakeups.areOnTheirWay) }
  }

  private func nanoseconds(_ instant: Duration) -> Int64 { epoch + Int64(instant / .nanoseconds(1)) }

  /// Ends whatever waits for the clock; its web process may never come to rest.
  package func stop() {
    isStopped = true
    link.stop()
    EngineActivity.stopWaiting()
  }
}
