internal import Core

/// Screen as the ad knows it: its geometry, and the exposure that it was sent.
struct ReportedGeometry: Sendable {
  /// Outcome of a new exposure.
  enum Change {
    case nothing
    /// The exposure is to be sent after this many ms.
    case wait(Double)
    /// These events are to be sent now.
    case told([MRAIDEvent])
  }

  /// Geometry as the getters report it.
  private(set) var geometry: HostGeometry
  /// Newest exposure from the host; the one that the page has received may be up to 200 ms older.
  var exposure: Exposure
  private var throttle = ExposureThrottle()

  init(geometry: HostGeometry, exposure: Exposure) {
    self.geometry = geometry
    self.exposure = exposure
  }

  /// Exposure that was last sent.
  var reported: Exposure { throttle.reported }

  /// Begins with the current exposure as the ad's first.
  mutating func begin() { throttle.send(exposure, at: nil) }

  /// Applies a new geometry; returns `sizeChange` if the ad's size has changed.
  mutating func move(to new: HostGeometry, on profile: HostProfile) -> [MRAIDEvent] {
    let old = geometry.currentPosition.size
    geometry = new
    let size = new.currentPosition.size
    let unit = profile.behaviour.sizeChangeUnit == .physical ? profile.scale : 1
    let sides = [size.width, size.height].map { JSONValue.number(unit == 1 ? $0 : ($0 * unit).rounded()) }
    return size == old ? [] : [MRAIDEvent("sizeChange", sides)]
  }

  /// Applies an exposure in a transition, independent of the 200 ms.
  mutating func expose(_ new: Exposure, at time: Double?) -> [MRAIDEvent] {
    exposure = new
    let old = reported
    throttle.send(new, at: time)
    return new == old ? [] : events(wasViewable: old.isViewable)
  }

  /// Applies an exposure at any other time; it is sent at most every 200 ms.
  mutating func offer(_ new: Exposure, at time: Double?) -> Change {
    exposure = new
    let wasViewable = reported.isViewable
    let outcome = throttle.offer(new, at: time)
    return change(outcome, wasViewable: wasViewable)
  }

  /// Handles the end of the delay.
  mutating func due(at time: Double) -> Change {
    let wasViewable = reported.isViewable
    let outcome = throttle.due(at: time)
    return change(outcome, wasViewable: wasViewable)
  }

  /// Handles the end of the delay at a time when nothing may be sent.
  mutating func expire() { throttle.expire() }

  /// Indicates if the size of the ad, of the screen or of the content area differs in the new geometry.
  func isRelaid(in new: HostGeometry) -> Bool {
    new.screenSize != geometry.screenSize || new.maxSize != geometry.maxSize
      || new.currentPosition.size != geometry.currentPosition.size
  }

  private func change(_ outcome: ExposureThrottle.Outcome, wasViewable: Bool) -> Change {
    switch outcome {
    case .nothing: .nothing
    case .wait(let delay): .wait(delay)
    case .send: .told(events(wasViewable: wasViewable))
    }
  }

  private func events(wasViewable: Bool) -> [MRAIDEvent] {
    let isViewable = reported.isViewable
    let exposureChange = MRAIDEvent("exposureChange", reported.arguments)
    let change = MRAIDEvent("viewableChange", [.bool(isViewable)])
    return isViewable == wasViewable ? [exposureChange] : [exposureChange, change]
  }
}

/// Limiter that passes an exposure at most every 200 ms, and never the same one twice.
private struct ExposureThrottle: Hashable, Sendable {
  /// Action for an offered exposure.
  enum Outcome: Hashable, Sendable {
    case send(Exposure)
    case wait(Double)
    case nothing
  }
  private enum LastSent: Hashable, Sendable {
    case never
    case at(Double)
    /// Sent with a transition whose time isn't known.
    case sometime
  }

  private static let interval = 200.0

  /// Exposure that was last sent.
  private(set) var reported = Exposure.none
  private var waiting: Exposure?
  private var lastSent = LastSent.never
  private var timerRuns = false

  /// Offers a new exposure; without a time it counts as coming right after the last one.
  mutating func offer(_ exposure: Exposure, at time: Double?) -> Outcome {
    waiting = exposure == reported ? nil : exposure
    guard waiting != nil else { return .nothing }
    guard let remaining = remaining(at: time), remaining > 0 else {
      send(exposure, at: time)
      return .send(exposure)
    }
    return wait(remaining)
  }

  /// Handles the end of the requested delay.
  mutating func due(at time: Double) -> Outcome {
    timerRuns = false
    guard let waiting else { return .nothing }
    if let remaining = remaining(at: time), remaining > 0 { return wait(remaining) }
    send(waiting, at: time)
    return .send(waiting)
  }

  /// Handles the end of the delay at a time when nothing may be sent.
  mutating func expire() { timerRuns = false }

  /// Records that an exposure is sent with a transition, independent of the 200 ms.
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

  /// Rounds to tenths of ms, in which hosts give the time, so that a smaller difference doesn't count as time left.
  private static func tenths(_ time: Double) -> Double { (time * 10).rounded() / 10 }

  /// Returns the ms until the next exposure may be sent; nil if none was sent yet.
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
