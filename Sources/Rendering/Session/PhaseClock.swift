internal import WebKitRuntime

/// How long each phase of a render took.
@WebKitActor final class PhaseClock {
  let began = ContinuousClock.now
  private var last = ContinuousClock.now
  private(set) var milliseconds: [String: Double] = [:]

  /// Notes a phase that began at `start`, or where the last one ended.
  func end(_ phase: String, from start: ContinuousClock.Instant? = nil) {
    let now = ContinuousClock.now
    milliseconds[phase] = (((now - (start ?? last)) / .milliseconds(1)) * 10).rounded() / 10
    last = now
  }
}
