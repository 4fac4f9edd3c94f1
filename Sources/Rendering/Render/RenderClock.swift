internal import Core
internal import Engine
internal import Hosting
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Time of a render, for pages and container alike: the machine's time or virtual time.
///
/// Virtual time passes frame by frame; each frame comes as soon as nothing is left to do before it.
@EngineActor final class RenderClock: RenderTime {
  /// Parts of a render that have to be at rest before time passes.
  struct Surroundings {
    var views: @EngineActor () -> [WebView]
    /// Resources that pages have asked for and not received yet.
    var loads: @EngineActor () -> Rest.Loads
    /// Requests among these loads.
    var requests: @EngineActor () -> [OpenRequest]
    /// Instant of the machine's time from which requests no longer hold virtual time.
    var lastHold: ContinuousClock.Instant
    /// Receives the requests that time no longer waits for because it is too late.
    var missed: @EngineActor ([OpenRequest]) -> Void
    /// Called when time goes on although a resource that a page asked for hasn't arrived.
    var wentOn: @EngineActor () -> Void
    /// Indicates if pages have to paint although no screenshot or recording is being taken.
    var paints: @EngineActor () -> Bool
    /// Indicates if WebGL may leave out frames of which no picture is taken.
    var mayLeaveOutFrames: @EngineActor () -> Bool
    /// Called when a picture can't be taken because WebGL has left out a frame that it needs.
    var frameIsMissing: @EngineActor () -> Void
    /// Lets pages pass the first loops of images that have just arrived; false if there are none.
    var passFirstLoops: @EngineActor () async -> Bool
    /// Traffic through a recorder that follows the render's time; nil where the network's own pace counts.
    var traffic: Traffic?
  }

  /// Virtual clock; nil for the machine's time.
  private let stepped: VirtualClock?
  /// Virtual time of the render, from its beginning.
  private var time: VirtualTime?
  let began = ContinuousClock.now
  private var timers = TimerQueue()
  private var pump: Task<Void, Never>?
  private var holds = 0
  private var frameIsMissing: (@EngineActor () -> Void)?
  /// Number of the current frame.
  private var frames: Int64 = 0

  init(_ stepped: VirtualClock? = nil) { self.stepped = stepped }

  var isVirtual: Bool { stepped != nil }

  /// Parts of the render that don't follow virtual time, each once; nil for none.
  private(set) var nondeterminism: [Nondeterminism]?

  /// Notes a part that doesn't follow virtual time; does nothing where the machine's time is used.
  func noteNondeterminism(_ what: Nondeterminism) {
    guard isVirtual, nondeterminism?.contains(what) != true else { return }
    nondeterminism = (nondeterminism ?? []) + [what]
  }

  /// Time since the render began.
  var now: Duration { isVirtual ? time?.now ?? .zero : ContinuousClock.now - began }

  /// Time from the beginning of the render to the frame that pages show.
  ///
  /// Time that passes without a frame, as during a document's load, isn't included.
  var frame: Duration { isVirtual ? timestamp(ofFrame: frames) : now }

  /// Returns that much time after the frame that pages show, or when the task is cancelled.
  func sleep(for duration: Duration) async {
    guard duration > .zero else { return }
    // However short it is, it ends in a later frame: whoever looks again and again lets time pass.
    await comes(to: frame + max(duration, .microseconds(1)))
  }

  /// Returns at the first frame at or after that timestamp, or when the task is cancelled.
  ///
  /// In virtual time it returns only after all work of the frame is done, even if that is the current frame.
  func comes(to timestamp: Duration) async {
    guard isVirtual else { return (try? await Task.sleep(for: max(.zero, timestamp - now))) ?? () }
    // Seconds that were decimal once may be a hair beyond the frame that they name.
    let whole = Duration.microseconds(Bounded.int(timestamp / .microseconds(1), in: 0...Int.max))
    await timers.sleep(until: max(frame, whole))
  }

  /// Returns when the page has drawn its next frame; at once for a hidden page, which draws none.
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

  /// Indicates if a page wants to draw its next frame, in virtual time.
  var awaitsFrame: Bool { isVirtual && FrameGate.isWanted }

  /// Returns the image that a composited page shows at this instant of virtual time.
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

  /// Number of frames before a task wakes that WebGL doesn't leave out.
  ///
  /// In six frames a game that draws each third has drawn on both textures of its drawing buffer. With fewer, a picture
  /// may come some frames later.
  var watchedFrames: Int64 = 6
  /// Maximum number of frames that a picture waits for WebGL to draw.
  private static let longestWait = 15

  /// Waits until WebGL has drawn what pages show; ends the attempt if it can't draw that any more.
  func catchUp() async {
    guard let time else { return }
    for _ in 0..<Self.longestWait where time.showsOlderFrame && !time.usedOlderFrame && !time.isOver {
      await timers.sleep(until: timestamp(ofFrame: frames + 1))
    }
    if !time.isOver, time.showsOlderFrame || time.usedOlderFrame { frameIsMissing?() }
  }

  private func rest() async {
    // Once the display link is back, its word is on the way.
    _ = FrameGate.isWanted
    _ = await time?.settle()
  }

  /// Lets no time pass while `body` waits for something that follows the machine's time.
  func hold<Value: Sendable, Failure>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    holds += 1
    defer { holds -= 1 }
    return try await body()
  }

  /// Stops the machine's time, if the clock is virtual, and lets time pass from here on as `surroundings` come to rest.
  func begin(date: Double, _ surroundings: Surroundings) {
    guard let stepped else { return }
    let time = stepped.begin(date: date)
    self.time = time
    frameIsMissing = surroundings.frameIsMissing
    FrameGate.isShut = true
    let rest = Rest(time: time, surroundings: surroundings)
    time.beforeGoingOn = { [weak self, weak time] goOn in
      guard let self, let time else { return goOn() }
      goesOnWithinFrame(time, rest, surroundings, goOn)
    }
    pump = Task { @EngineActor [weak self] in
      while !Task.isCancelled, let self, await pass(time, rest, surroundings) {}
    }
  }

  /// Stops time for good and wakes all waiting tasks at once.
  func end() {
    guard let time else { return }
    pump?.cancel()
    time.end()
    if time.passedBeforeWork { noteNondeterminism(.work) }
    if time.hadOtherProcesses { noteNondeterminism(.sharedWorkers) }
    FrameGate.isShut = false
    timers.wakeAll()
  }

  /// Waits until everything rests, then lets frames pass until there is work to do here; false when the render's time
  /// is over.
  private func pass(_ time: VirtualTime, _ rest: Rest, _ surroundings: Surroundings) async -> Bool {
    await EngineActor.idle()
    guard holds == 0 else { return (try? await Task.sleep(for: .milliseconds(1))) != nil }
    guard await rest.waitUntilIdle(), holds == 0 else { return !Task.isCancelled }
    if rest.goesOnWithoutLoads, surroundings.traffic == nil { noteNondeterminism(.network) }
    guard !Task.isCancelled else { return false }
    // Whoever looks at the beginning sees the first frame.
    if frames == 0, let first = time.firstFrame {
      return await EngineActor.wait { wakeup in time.advance(to: first) { wakeup.resume(returning: $0) } }
    }
    guard await !surroundings.passFirstLoops() else { return true }
    // One after the other: two that are woken at once may be back in either order.
    guard !timers.wakeFirst(at: timestamp(ofFrame: frames)) else { return true }
    if let due = dueWithinFrame(surroundings) {
      return await EngineActor.wait { wakeup in time.advance(to: due) { wakeup.resume(returning: $0) } }
    }
    return await EngineActor.wait { wakeup in
      let step = FrameStep(time: time, views: surroundings.views)
      renderFrames(step, rest, surroundings) { passed in
        time.isUnseen = false
        time.isUnwatched = false
        wakeup.resume(returning: passed)
      }
    }
  }

  /// Renders frame after frame, without the waits of a task, until a task has to be woken or something happens in the
  /// views.
  private func renderFrames(
    _ step: FrameStep, _ rest: Rest, _ surroundings: Surroundings, then: @escaping @EngineActor (Bool) -> Void
  ) {
    frames = nextFrame(step.time)
    step.time.isUnseen = !surroundings.paints()
    step.time.isUnwatched =
      !timers.areDue(at: timestamp(ofFrame: frames + watchedFrames)) && surroundings.mayLeaveOutFrames()
    let before = rest.activity
    step.pass(to: timestamp(ofFrame: frames)) { [weak self] passed in
      guard let self, passed else { return then(false) }
      guard !timers.areDue(at: timestamp(ofFrame: frames)), holds == 0, rest.isStillIdle(since: before),
        dueWithinFrame(surroundings) == nil
      else { return then(true) }
      renderFrames(step, rest, surroundings, then: then)
    }
  }

  /// Lets time go on in the middle of a frame after the resources that a page has just asked for have arrived, as at a
  /// frame's end.
  private func goesOnWithinFrame(
    _ time: VirtualTime, _ rest: Rest, _ surroundings: Surroundings, _ goOn: @escaping @EngineActor () -> Void
  ) {
    guard holds > 0 || rest.awaitsAnswers else { return goOn() }
    Task { @EngineActor [weak self] in
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

  /// Instant before the next frame at which the network has something to send; nil for none.
  ///
  /// An answer arrives at its own instant, not at a frame's.
  private func dueWithinFrame(_ surroundings: Surroundings) -> Duration? {
    guard let due = surroundings.traffic?.nextDue, due < timestamp(ofFrame: frames + 1), due > now else { return nil }
    return due
  }

  /// Number of the frame to go to: the next one or, while no page draws, the last one before a timer or a waiting task
  /// is due.
  private func nextFrame(_ time: VirtualTime) -> Int64 {
    guard let wake = timers.nextTimestamp, !FrameGate.isWanted else { return frames + 1 }
    let quiet = min(wake, time.nextTimer)
    let last =
      Int64(Bounded.int(quiet / .microseconds(1), in: 0...1_000_000_000_000, rounding: .towardZero)) * 60 / 1_000_000
    return max(frames + 1, last)
  }

  /// Timestamp of a frame in whole microseconds, as the engine's main loop counts.
  private func timestamp(ofFrame frame: Int64) -> Duration { .microseconds(frame * 1_000_000 / 60) }
}

/// One frame of virtual time: first the timers, as they fall due, then the drawing of pages.
@EngineActor struct FrameStep {
  let time: VirtualTime
  let views: @EngineActor () -> [WebView]

  /// Calls `then` when all events up to the timestamp have happened; with false when the render is over.
  func pass(to timestamp: Duration, then: @escaping @EngineActor (Bool) -> Void) {
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

  private func draw(at timestamp: Duration, then: @escaping @EngineActor (Bool) -> Void) {
    FrameGate.releaseFrame()
    // Once the display link is back, its word is on the way.
    _ = FrameGate.isWanted
    time.advance(to: timestamp) { passed in
      guard passed, takeFrames() else { return then(passed) }
      time.advance(to: timestamp, then: then)
    }
  }

  /// Takes one frame from each compositor that has one ready; false if none had.
  ///
  /// A page can't draw its next frame while its compositor still holds one.
  private func takeFrames() -> Bool { views().reduce(false) { $1.takeFrame() || $0 } }
}
