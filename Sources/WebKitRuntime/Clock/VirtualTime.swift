internal import CClock
internal import Core

/// One render's time, from its beginning to its end. Who asks later, when the next render's may have begun, finds it over.
@WebKitActor package final class VirtualTime {
  private let link: ClockLink
  /// Nanoseconds of the web process's clock at which it begins.
  private let epoch: Int64
  package private(set) var isOver = false
  /// Where the web process says something to another, time doesn't pass before this is done with what it is given.
  package var beforeGoingOn: (@WebKitActor (@escaping @WebKitActor () -> Void) -> Void)?
  private let givenUpBefore: UInt32
  private let othersBefore: UInt32

  init(link: ClockLink, epoch: Int64, date: Double) {
    self.link = link
    self.epoch = epoch
    givenUpBefore = link.givenUp
    othersBefore = link.others
    link.isUnseen = false
    link.freeze(
      at: epoch,
      wall: Int64(Bounded.int(date * 1_000, in: -9_000_000_000_000...9_000_000_000_000, rounding: .towardZero))
        * 1_000_000)
  }

  /// Time since the render began.
  package var now: Duration { .nanoseconds(link.now - epoch) }

  /// When the page's first frame comes, which shows it as it has loaded; nil before it has begun, and once that is over.
  package var firstFrame: Duration? {
    let first = Duration.nanoseconds(Int64(CLOCK_FIRST_FRAME))
    return (.nanoseconds(1)..<first).contains(now) ? first : nil
  }

  /// When the next timer of the web process is due, as far as it knew when it last rested; a long time hence for none.
  package var nextTimer: Duration { .nanoseconds(max(link.now, link.due) - epoch) }

  /// Whether it passed though a thread beside the page hadn't done in five seconds what the page had given it to do.
  package var passedBeforeWork: Bool { link.givenUp != givenUpBefore }

  /// Whether a worker that pages share was run by a process of its own, which nobody waits for.
  package var hadOtherProcesses: Bool { link.others != othersBefore }

  /// How often the network process had something to do, when it last rested.
  package var networkTurns: UInt32 { EngineActivity.networkTurns }

  /// Whether pages needn't paint, since nobody looks: their scripts, styles and layout go on. A picture makes it false.
  package var isUnseen: Bool {
    get { link.isUnseen }
    set { link.isUnseen = newValue }
  }

  /// Returns once all that was begun at this instant is done, by windows too; false when the render is over.
  package func settle() async -> Bool {
    EngineActivity.syncWindows()
    return await WebKitActor.wait { wakeup in
      advance(to: now) { wakeup.resume(returning: $0) }
    }
  }

  /// Lets time pass, at once, while everything rests; to an instant before `nextTimer`.
  package func pass(to timestamp: Duration) { link.pass(to: nanoseconds(timestamp)) }

  /// Lets time pass up to this instant, timer by timer, and tells once all that follows has been done, in the web
  /// process, on the way between the processes, and here; false when the render is over.
  ///
  /// There may be thousands of them in a render, and a task's waits would be hand-overs between threads.
  package func advance(to timestamp: Duration, then: @escaping @WebKitActor (Bool) -> Void) {
    look(at: nanoseconds(timestamp), then)
  }

  /// Looks at everyone after the last that the others did: at the web process after this one, at the network process
  /// after both, and at this one again in the end.
  ///
  /// Where the web process says something to another it stays at that instant until everybody has been looked at there.
  private func look(at timestamp: Int64, _ then: @escaping @WebKitActor (Bool) -> Void) {
    guard !isOver else { return then(false) }
    let (turns, rested) = (EngineActivity.turns, EngineActivity.rests)
    link.rests(at: timestamp, for: self) { [weak self] answered in
      guard let self, answered else { return then(false) }
      let reached = min(timestamp, link.now)
      if reached < timestamp { link.stay() }
      let goOn = { @WebKitActor [weak self] (passed: Bool) in
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

  private func checkNetwork(since turns: UInt32, at timestamp: Int64, _ then: @escaping @WebKitActor (Bool) -> Void) {
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

  /// Tells, once everything here is done, whether nothing has come since the engine's threads had woken so often.
  private func whenQuiet(since turns: UInt32, _ then: @escaping @WebKitActor (Bool) -> Void) {
    WebKitActor.whenIdle { then(EngineActivity.rests && EngineActivity.turns == turns && !Wakeups.areOnTheirWay) }
  }

  private func nanoseconds(_ timestamp: Duration) -> Int64 {
    epoch + Int64(Bounded.int(timestamp / .nanoseconds(1), in: -(Int.max / 2)...Int.max / 2, rounding: .towardZero))
  }

  /// Ends whatever waits for it; its web process may never come to rest.
  package func end() {
    isOver = true
    beforeGoingOn = nil
    link.stop(for: self)
    EngineActivity.stopWaiting(for: self)
  }
}
