internal import Core
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// The time that a render lives in, pages and container alike: the machine's, or one that passes frame by frame, each as
/// soon as nothing is left to do before it.
@WebKitActor final class RenderClock {
  /// What has to be at rest before time passes.
  struct Surroundings {
    var views: @WebKitActor () -> [WebView]
    /// What pages have asked for and not got yet.
    var loads: @WebKitActor () -> Rest.Loads
    /// The requests among that.
    var requests: @WebKitActor () -> [OpenRequest]
    /// When, by the machine's time, requests hold time no more.
    var lastHold: ContinuousClock.Instant
    /// Hears of requests that time goes on without, since it is too late to wait for them.
    var missed: @WebKitActor ([OpenRequest]) -> Void
    /// Hears that time goes on though something that a page asked for hasn't come.
    var wentOn: @WebKitActor () -> Void
    /// Whether pages have to paint though nobody looks.
    var paints: @WebKitActor () -> Bool
    /// What is on its way through a recorder that keeps to the render's time; nil where the network's own pace counts.
    var traffic: Traffic?
  }

  /// Nil for the machine's time.
  private let stepped: VirtualClock?
  /// The render's, from its beginning.
  private var time: VirtualTime?
  private let began = ContinuousClock.now
  private var timers = TimerQueue()
  private var pump: Task<Void, Never>?
  private var holds = 0
  /// Frames that have passed.
  private var frames: Int64 = 0

  init(_ stepped: VirtualClock? = nil) { self.stepped = stepped }

  var isVirtual: Bool { stepped != nil }

  /// What of the render doesn't live in stepped time, each once; nil for nothing.
  private(set) var nondeterminism: [Nondeterminism]?

  /// Notes what doesn't, where time is stepped at all.
  func noteNondeterminism(_ what: Nondeterminism) {
    guard isVirtual, nondeterminism?.contains(what) != true else { return }
    nondeterminism = (nondeterminism ?? []) + [what]
  }

  /// Since the render began.
  var now: Duration { isVirtual ? time?.now ?? .zero : ContinuousClock.now - began }

  /// Since the render began, when the frame came that pages show; a document that loads takes time without one.
  var frame: Duration { isVirtual ? timestamp(ofFrame: frames) : now }

  /// Returns so long after the frame that pages show, or when the task is cancelled.
  func sleep(for duration: Duration) async {
    guard duration > .zero else { return }
    // However short it is, it ends in a later frame: whoever looks again and again lets time pass.
    await comes(to: frame + max(duration, .microseconds(1)))
  }

  /// Returns at the first frame of that instant or later, or when the task is cancelled; in stepped time only once all
  /// that happens in the frame is done, even of the present one.
  func comes(to timestamp: Duration) async {
    guard isVirtual else { return (try? await Task.sleep(for: max(.zero, timestamp - now))) ?? () }
    // Seconds that were decimal once may be a hair beyond the frame that they name.
    let whole = Duration.microseconds(Bounded.int(timestamp / .microseconds(1), in: 0...Int.max))
    await timers.sleep(until: max(frame, whole))
  }

  /// Returns when the page has drawn its next frame; at once for one that nobody sees, which draws none.
  func nextFrame(of view: WebView) async throws(ScriptError) {
    guard stepped != nil else {
      _ = try await view.call(
        """
        if (Object.getOwnPropertyDescriptor(Document.prototype, "hidden").get.call(document)) return;
        await new Promise((done) => {
          requestAnimationFrame(() => setTimeout(done));
          EventTarget.prototype.addEventListener.call(document, "visibilitychange", done, { once: true });
        });
        """)
      return
    }
    await timers.sleep(until: timestamp(ofFrame: frames + 1))
  }

  /// Whether a page wants to draw its next frame, where time is stepped.
  var awaitsFrame: Bool { isVirtual && FrameGate.isWanted }

  /// What a page that a compositor draws shows at this instant, where time is stepped.
  func composed(_ view: WebView) async throws -> Bitmap {
    try await hold {
      // As a snapshot does, a picture has the page draw what it has changed since its last frame.
      if FrameGate.isWanted {
        FrameGate.releaseFrame()
        await rest()
      }
      // The frame on the compositor's hands may be an older one; the page may have waited for it with a further change.
      for _ in 0..<Self.framesOfATimestamp where view.takeFrame() { await rest() }
      return try view.drawing()
    }
  }

  private static let framesOfATimestamp = 2

  private func rest() async {
    // Once the display link is back, its word is on the way.
    _ = FrameGate.isWanted
    _ = await time?.settle()
  }

  /// Lets no time pass while it waits for something that lives in the machine's time.
  func hold<Value: Sendable, Failure>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    holds += 1
    defer { holds -= 1 }
    return try await body()
  }

  /// Stops the machine's time, where there is one to stop, and lets it pass from here on as `surroundings` rest.
  func begin(date: Double, _ surroundings: Surroundings) {
    guard let stepped else { return }
    let time = stepped.begin(date: date)
    self.time = time
    FrameGate.isShut = true
    let rest = Rest(time: time, surroundings: surroundings)
    time.beforeGoingOn = { [weak self, weak time] goOn in
      guard let self, let time else { return goOn() }
      goesOnWithinFrame(time, rest, surroundings, goOn)
    }
    pump = Task { @WebKitActor [weak self] in
      while !Task.isCancelled, let self, await pass(time, rest, surroundings) {}
    }
  }

  /// Time passes no more; whoever waits for it goes on at once.
  func end() {
    guard let time else { return }
    pump?.cancel()
    time.end()
    if time.passedBeforeWork { noteNondeterminism(.work) }
    if time.hadOtherProcesses { noteNondeterminism(.sharedWorkers) }
    FrameGate.isShut = false
    timers.wakeAll()
  }

  /// Waits until everything rests and lets frames pass until something has to be done here; false when there is no more
  /// time.
  private func pass(_ time: VirtualTime, _ rest: Rest, _ surroundings: Surroundings) async -> Bool {
    await WebKitActor.idle()
    guard holds == 0 else { return (try? await Task.sleep(for: .milliseconds(1))) != nil }
    guard await rest.waitUntilIdle(), holds == 0 else { return !Task.isCancelled }
    if rest.goesOnWithoutLoads, surroundings.traffic == nil { noteNondeterminism(.network) }
    guard !Task.isCancelled else { return false }
    // Whoever looks at the beginning sees the first frame.
    if frames == 0, let first = time.firstFrame {
      return await WebKitActor.wait { wakeup in time.advance(to: first) { wakeup.resume(returning: $0) } }
    }
    // One after the other: two that are woken at once may be back in either order.
    guard !timers.wakeFirst(at: timestamp(ofFrame: frames)) else { return true }
    if let due = dueWithinFrame(surroundings) {
      return await WebKitActor.wait { wakeup in time.advance(to: due) { wakeup.resume(returning: $0) } }
    }
    return await WebKitActor.wait { wakeup in
      let step = FrameStep(time: time, views: surroundings.views)
      renderFrames(step, rest, surroundings) { passed in
        time.isUnseen = false
        wakeup.resume(returning: passed)
      }
    }
  }

  /// Frame after frame, without a task's waits, while nobody is woken and nothing happens with the views.
  private func renderFrames(
    _ step: FrameStep, _ rest: Rest, _ surroundings: Surroundings, then: @escaping @WebKitActor (Bool) -> Void
  ) {
    frames = nextFrame(step.time)
    step.time.isUnseen = !surroundings.paints()
    let before = rest.activity
    step.pass(to: timestamp(ofFrame: frames)) { [weak self] passed in
      guard let self, passed else { return then(false) }
      guard !timers.areDue(at: timestamp(ofFrame: frames)), holds == 0, rest.isStillIdle(since: before),
        dueWithinFrame(surroundings) == nil
      else { return then(true) }
      renderFrames(step, rest, surroundings, then: then)
    }
  }

  /// Lets time go on in the middle of a frame once what a page has just asked for has come, as at a frame's end.
  private func goesOnWithinFrame(
    _ time: VirtualTime, _ rest: Rest, _ surroundings: Surroundings, _ goOn: @escaping @WebKitActor () -> Void
  ) {
    guard holds > 0 || rest.awaitsAnswers else { return goOn() }
    Task { @WebKitActor [weak self] in
      while let self, !time.isOver {
        if holds > 0 {
          try? await Task.sleep(for: .milliseconds(1))
        } else if await rest.waitUntilIdle() {
          break
        }
      }
      goOn()
    }
  }

  /// When the network has something before the next frame; an answer comes at its own instant, not at a frame's.
  private func dueWithinFrame(_ surroundings: Surroundings) -> Duration? {
    guard let due = surroundings.traffic?.nextDue, due < timestamp(ofFrame: frames + 1), due > now else { return nil }
    return due
  }

  /// The frame to go to: the next, or while no page draws any the last one before something is due.
  private func nextFrame(_ time: VirtualTime) -> Int64 {
    guard let wake = timers.nextTimestamp, !FrameGate.isWanted else { return frames + 1 }
    let quiet = min(wake, time.nextTimer)
    let last =
      Int64(Bounded.int(quiet / .microseconds(1), in: 0...1_000_000_000_000, rounding: .towardZero)) * 60 / 1_000_000
    return max(frames + 1, last)
  }

  /// In whole microseconds, as the engine's main loop counts.
  private func timestamp(ofFrame frame: Int64) -> Duration { .microseconds(frame * 1_000_000 / 60) }
}

/// One frame of stepped time: timers first, as they fall due, then what the page draws.
@WebKitActor struct FrameStep {
  let time: VirtualTime
  let views: @WebKitActor () -> [WebView]

  /// Tells when everything up to the instant has happened; false when the render is over.
  func pass(to timestamp: Duration, then: @escaping @WebKitActor (Bool) -> Void) {
    // Where no timer falls due the frame is all there is to wait for.
    if FrameGate.isWanted, time.nextTimer > timestamp {
      time.pass(to: timestamp)
      return draw(at: timestamp, then: then)
    }
    time.advance(to: timestamp) { passed in
      guard passed, FrameGate.isWanted else { return then(passed) }
      draw(at: timestamp, then: then)
    }
  }

  private func draw(at timestamp: Duration, then: @escaping @WebKitActor (Bool) -> Void) {
    FrameGate.releaseFrame()
    // Once the display link is back, its word is on the way.
    _ = FrameGate.isWanted
    time.advance(to: timestamp) { passed in
      guard passed, takeFrames() else { return then(passed) }
      time.advance(to: timestamp, then: then)
    }
  }

  /// Takes what compositors have handed over, one frame each: a page whose compositor waits to be rid of one can't draw
  /// its next. False when there was none.
  private func takeFrames() -> Bool { views().reduce(false) { $1.takeFrame() || $0 } }
}

/// Tasks that wait for an instant of a clock, woken in the order of their instants.
@WebKitActor final class TimerQueue {
  private struct Sleeper {
    let timestamp: Duration
    let wakeup: Wakeup<Void>
  }

  private var waiting: [Int: Sleeper] = [:]
  private var next = 0
  private var isOver = false

  /// Returns at the instant, or when the task is cancelled.
  func sleep(until timestamp: Duration) async {
    guard !isOver else { return }
    let id = next
    next += 1
    await withTaskCancellationHandler {
      await WebKitActor.wait { wakeup in
        if Task.isCancelled {
          wakeup.resume()
        } else {
          waiting[id] = Sleeper(timestamp: timestamp, wakeup: wakeup)
        }
      }
    } onCancel: {
      Task { @WebKitActor [weak self] in self?.waiting.removeValue(forKey: id)?.wakeup.resume() }
    }
  }

  /// When the first is to be woken; nil when nobody waits.
  var nextTimestamp: Duration? { waiting.values.map(\.timestamp).min() }

  /// Whether somebody's instant has come.
  func areDue(at timestamp: Duration) -> Bool { nextTimestamp.map { $0 <= timestamp } ?? false }

  /// Wakes the first whose instant has come; false when nobody's has.
  func wakeFirst(at timestamp: Duration) -> Bool {
    let first = waiting.min { ($0.value.timestamp, $0.key) < ($1.value.timestamp, $1.key) }
    guard let first, first.value.timestamp <= timestamp else { return false }
    waiting.removeValue(forKey: first.key)?.wakeup.resume()
    return true
  }

  /// Wakes everyone, and from now on keeps nobody.
  func wakeAll() {
    isOver = true
    while wakeFirst(at: .seconds(Int64.max / 2)) {}
  }
}
