internal import WebKitRuntime

/// One frame of stepped time: timers first, as they fall due, then what the page draws.
@WebKitActor struct FrameStep {
  let time: SteppedTime

  /// Tells when everything up to the instant has happened; false when the render is over.
  func pass(to instant: Duration, then: @escaping @WebKitActor (Bool) -> Void) {
    // Where no timer falls due the frame is all there is to wait for.
    if FrameGate.isWanted, time.nextTimer > instant {
      time.pass(to: instant)
      return draw(at: instant, then: then)
    }
    time.advance(to: instant) { passed in
      guard passed, FrameGate.isWanted else { return then(passed) }
      draw(at: instant, then: then)
    }
  }

  private func draw(at instant: Duration, then: @escaping @WebKitActor (Bool) -> Void) {
    FrameGate.letThrough()
    // Once the display link is back, its word is on the way.
    _ = FrameGate.isWanted
    time.advance(to: instant, then: then)
  }
}
