internal import Core

/// What an ad is told of the screen: where it stands, and what of it can be seen.
struct ToldScreen: Sendable {
  /// What a new exposure comes to.
  enum Change {
    case nothing
    /// It is told in so many ms.
    case wait(Double)
    /// It is told now.
    case told([MRAIDEvent])
  }

  /// As the getters tell it.
  private(set) var geometry: HostGeometry
  /// The newest the host told; what the page has been told may be up to 200 ms older.
  var exposure: Exposure
  private var throttle = ExposureThrottle()

  init(geometry: HostGeometry, exposure: Exposure) {
    self.geometry = geometry
    self.exposure = exposure
  }

  /// The exposure that was told last.
  var reported: Exposure { throttle.reported }

  /// The ad begins: it is told what can be seen.
  mutating func begin() { throttle.send(exposure, at: nil) }

  /// Takes the geometry over; `sizeChange` when the ad's size is another.
  mutating func move(to new: HostGeometry, on profile: HostProfile) -> [MRAIDEvent] {
    let old = geometry.currentPosition.size
    geometry = new
    let size = new.currentPosition.size
    let unit = profile.behaviour.sizeChangeUnit == .physical ? profile.scale : 1
    let sides = [size.width, size.height].map { JSONValue.number(unit == 1 ? $0 : ($0 * unit).rounded()) }
    return size == old ? [] : [MRAIDEvent("sizeChange", sides)]
  }

  /// Takes the exposure over in a transition, whenever the last one was.
  mutating func expose(_ new: Exposure, at time: Double?) -> [MRAIDEvent] {
    exposure = new
    let old = reported
    throttle.send(new, at: time)
    return new == old ? [] : events(wasViewable: old.isViewable)
  }

  /// Takes the exposure over at any other time: it is told at most every 200 ms.
  mutating func offer(_ new: Exposure, at time: Double?) -> Change {
    exposure = new
    let wasViewable = reported.isViewable
    let outcome = throttle.offer(new, at: time)
    return change(outcome, wasViewable: wasViewable)
  }

  /// The delay is over.
  mutating func due(at time: Double) -> Change {
    let wasViewable = reported.isViewable
    let outcome = throttle.due(at: time)
    return change(outcome, wasViewable: wasViewable)
  }

  /// The delay is over at a moment when nothing may go out.
  mutating func expire() { throttle.expire() }

  /// Whether the ad has another size there, or its surroundings have.
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

/// Lets an exposure through at most every 200 ms, never the same one twice.
private struct ExposureThrottle: Hashable, Sendable {
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

  private static let interval = 200.0

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
