internal import WebKitRuntime

/// One frame of stepped time: timers first, as they fall due, then what the page draws.
@WebKitActor struct FrameStep {
  let clock: SteppedClock

  /// Returns when everything up to the instant has happened; false when the clock was stopped.
  func pass(to instant: Duration) async -> Bool {
    guard await clock.advance(to: instant) else { return false }
    guard FrameGate.isWanted else { return true }
    FrameGate.letThrough()
    // Once the display link is back, its word is on the way.
    _ = FrameGate.isWanted
    return await clock.advance(to: instant)
  }
}
