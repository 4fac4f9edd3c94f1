internal import CClock
internal import Core
package import Engine

/// Virtual time of one render, from its beginning to its end.
///
/// Later calls, when the next render may have begun, find that it is over.
@EngineActor package final class VirtualTime {
  private let link: ClockLink
  /// Nanoseconds of the web process's clock at which the render begins.
  private let epoch: Int64
  package private(set) var isOver = false
  /// Hook for instants at which the web process has sent data to another process: time doesn't advance before the hook
  /// calls its argument.
  package var beforeGoingOn: (@EngineActor (@escaping @EngineActor () -> Void) -> Void)?
  private let givenUpBefore: UInt32
  private let othersBefore: UInt32

  init(link: ClockLink, epoch: Int64, date: Double) {
    self.link = link
    self.epoch = epoch
    givenUpBefore = link.givenUp
    othersBefore = link.others
    link.isUnseen = false
    link.isUnwatched = false
    link.freeze(
      at: epoch,
      wall: Int64(Bounded.int(date * 1_000, in: -9_000_000_000_000...9_000_000_000_000, rounding: .towardZero))
        * 1_000_000)
  }

  /// Time since the render began.
  package var now: Duration { elapsed(at: link.now) }

  /// Time of the page's first frame, which shows the loaded page; nil before virtual time has advanced, and from that
  /// frame on.
  package var firstFrame: Duration? {
    let first = Duration.nanoseconds(Int64(CLOCK_FIRST_FRAME))
    return (.nanoseconds(1)..<first).contains(now) ? first : nil
  }

  /// Time at which the web process's next timer is due, as of its last answer; far in the future if it has none.
  package var nextTimer: Duration { elapsed(at: max(link.now, link.due)) }

  /// Indicates if time has passed, in this render, before the engine's threads had finished the page's work; see
  /// `longest_work` in CClock.
  package var passedBeforeWork: Bool { link.givenUp != givenUpBefore }

  /// Indicates if a worker shared by pages ran in a process of its own, for which the clock doesn't wait.
  package var hadOtherProcesses: Bool { link.others != othersBefore }

  /// Number of times that the network process woke with work to do, as of its last answer.
  package var networkTurns: UInt32 { EngineActivity.networkTurns }

  /// Indicates that pages needn't paint, as their output isn't needed; scripts, styles and layout go on. A screenshot
  /// resets it to false.
  package var isUnseen: Bool {
    get { link.isUnseen }
    set { link.isUnseen = newValue }
  }

  /// Indicates that no picture is taken of the frames that come, so that WebGL needn't draw them.
  package var isUnwatched: Bool {
    get { link.isUnwatched }
    set { link.isUnwatched = newValue }
  }

  /// Indicates if pages show an older frame than they drew last, because WebGL has left out the latest.
  package var showsOlderFrame: Bool { link.showsOlderFrame }

  /// Indicates if a page has used pixels of a frame that WebGL has left out, so that pictures may be wrong.
  package var usedOlderFrame: Bool { link.usedOlderFrame }

  /// Returns once all work begun at this instant is done, including that of windows; false if the render is over.
  ///
  /// - Parameter networkFirst: true if the network process has just been sent something, so that the web process has
  ///   nothing to do before it has.
  package func settle(networkFirst: Bool = false) async -> Bool {
    EngineActivity.syncWindows()
    return await EngineActor.wait { wakeup in
      let settle = { @EngineActor [self] in advance(to: now) { wakeup.resume(returning: $0) } }
      guard networkFirst, !isOver else { return settle() }
      EngineActivity.networkRests(for: self) { $0 ? settle() : wakeup.resume(returning: false) }
    }
  }

  /// Advances time at once to an instant before `nextTimer`, while no process has work left.
  package func pass(to timestamp: Duration) { link.pass(to: nanoseconds(timestamp)) }

  /// Advances time to this instant, timer by timer, and calls `then` once all work that results is done; with false if
  /// the render is over.
  ///
  /// That includes work in the web process, on its way between the processes, and in this process.
  ///
  /// A render may advance thousands of times, and each wait of a task would be a hand-over between threads.
  package func advance(to timestamp: Duration, then: @escaping @EngineActor (Bool) -> Void) {
    look(at: nanoseconds(timestamp), then)
  }

  /// Checks each process after the last activity of the others.
  ///
  /// The web process comes after this one, the network process after both, and this one again at the end.
  ///
  /// If the web process sends something to another process, it stays at that instant until all have been checked there.
  private func look(at timestamp: Int64, _ then: @escaping @EngineActor (Bool) -> Void) {
    guard !isOver else { return then(false) }
    let (turns, rested) = (EngineActivity.turns, EngineActivity.rests)
    link.rests(at: timestamp, for: self) { [weak self] answered in
      guard let self, answered else { return then(false) }
      let reached = min(timestamp, link.now)
      if reached < timestamp { link.stay() }
      let goOn = { @EngineActor [weak self] (passed: Bool) in
        guard passed, let self, reached < timestamp else { return then(passed) }
        guard let beforeGoingOn else { return look(at: timestamp, then) }
        beforeGoingOn { [weak self] in self?.look(at: timestamp, then) ?? then(false) }
      }
      whenQuiet(since: turns) { [weak self] isQuiet in
        guard rested, isQuiet else { return self?.look(at: reached, goOn) ?? then(false) }
        self?.checkNetwork(since: turns, at: reached, goOn)
      }
    }
  }

  private func checkNetwork(since turns: UInt32, at timestamp: Int64, _ then: @escaping @EngineActor (Bool) -> Void) {
    guard !isOver else { return then(false) }
    let before = EngineActivity.networkTurns
    EngineActivity.networkRests(for: self) { [weak self] answered in
      guard let self, answered else { return then(false) }
      let hasRested = EngineActivity.networkTurns == before
      whenQuiet(since: turns) { [weak self] isQuiet in
        guard let self else { return then(false) }
        guard hasRested, isQuiet else { return look(at: timestamp, then) }
        // Workers' scripts have their turns when all else is done.
        if link.holdsScript {
          link.allowScript()
          return look(at: timestamp, then)
        }
        // It may have ended since everybody was looked at.
        then(!isOver)
      }
    }
  }

  /// Calls `then` once this process is idle; with true if the engine's threads rest and haven't woken since the count
  /// `turns`.
  private func whenQuiet(since turns: UInt32, _ then: @escaping @EngineActor (Bool) -> Void) {
    EngineActor.whenIdle { then(EngineActivity.rests && EngineActivity.turns == turns && !Wakeups.areOnTheirWay) }
  }

  /// Returns the time from the render's beginning to an instant of the web process, which may say any number.
  private func elapsed(at instant: Int64) -> Duration { .nanoseconds(instant) - .nanoseconds(epoch) }

  private func nanoseconds(_ timestamp: Duration) -> Int64 {
    epoch + Int64(Bounded.int(timestamp / .nanoseconds(1), in: -(Int.max / 2)...Int.max / 2, rounding: .towardZero))
  }

  /// Ends all waits of this render, as its web process may never finish its work.
  package func end() {
    isOver = true
    beforeGoingOn = nil
    link.stop(for: self)
    EngineActivity.stopWaiting(for: self)
  }
}
