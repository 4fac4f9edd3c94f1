/// Lets an exposure through at most every 200 ms, never the same one twice.
struct ExposureThrottle: Hashable, Sendable {
  /// What to do with an offered exposure.
  enum Outcome: Hashable, Sendable {
    case send(Exposure)
    case wait(Double)
    case nothing
  }
  private enum LastSent: Hashable, Sendable {
    case never
    case at(Double)
    /// With a transition whose time isn't known.
    case sometime
  }

  static let interval = 200.0

  /// The one that went out last.
  private(set) var reported = Exposure.none
  private var waiting: Exposure?
  private var lastSent = LastSent.never
  private var timerRuns = false

  /// A new exposure; without a time it is treated as coming right after the last one.
  mutating func offer(_ exposure: Exposure, at time: Double?) -> Outcome {
    waiting = exposure == reported ? nil : exposure
    guard waiting != nil else { return .nothing }
    guard let remaining = remaining(at: time), remaining > 0 else {
      send(exposure, at: time)
      return .send(exposure)
    }
    return wait(remaining)
  }

  /// The delay asked for is over.
  mutating func due(at time: Double) -> Outcome {
    timerRuns = false
    guard let waiting else { return .nothing }
    if let remaining = remaining(at: time), remaining > 0 { return wait(remaining) }
    send(waiting, at: time)
    return .send(waiting)
  }

  /// The delay is over at a moment when nothing may go out.
  mutating func expire() { timerRuns = false }

  /// It goes out together with a transition, whenever the last one was.
  mutating func send(_ exposure: Exposure, at time: Double?) {
    waiting = nil
    guard exposure != reported else { return }
    reported = exposure
    lastSent = time.map(LastSent.at) ?? .sometime
  }

  private mutating func wait(_ delay: Double) -> Outcome {
    guard !timerRuns else { return .nothing }
    timerRuns = true
    return .wait(delay)
  }

  /// Hosts tell the time in tenths of ms: what their difference has beyond that is no time left.
  private static func tenths(_ time: Double) -> Double { (time * 10).rounded() / 10 }

  /// Ms until the next may go out, nil when none has yet.
  private mutating func remaining(at time: Double?) -> Double? {
    switch lastSent {
    case .never: return nil
    case .at(let last):
      guard let time, time.isFinite else { return Self.interval }
      return Self.tenths(Self.interval - max(0, time - last))
    case .sometime:
      if let time, time.isFinite { lastSent = .at(time) }
      return Self.interval
    }
  }
}
