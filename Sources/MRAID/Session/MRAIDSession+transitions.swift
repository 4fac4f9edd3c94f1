internal import Core

extension MRAIDSession {
  /// Asks the host for a transition; nothing else changes before it answers.
  mutating func begin(
    _ target: MRAIDState, _ presentation: Presentation, cause: String, from origin: AdPart?
  ) -> [MRAIDEffect] {
    var opensPartTwo = false
    if case .expanded(.some) = presentation { opensPartTwo = true }
    if opensPartTwo { parts[.two] = PartStatus(known: initialProperties(for: .two)) }
    pending = PendingTransition(
      target: target, cause: cause, origin: origin, opensPartTwo: opensPartTwo, orientationBefore: appliedOrientation,
      bounds: geometry.maxSize)
    return refreshOrientation(for: target) + [.present(presentation)]
  }

  /// The host laid everything out: now state, getters and events follow, then whatever waited.
  mutating func presented(_ geometry: HostGeometry, _ exposure: Exposure, at time: Double?) -> [MRAIDEffect] {
    guard let transition = pending else { return geometryChanged(geometry, exposure, at: time) }
    pending = nil
    held = nil
    if !transition.isRefit {
      lastTransition = MRAIDTransition(from: state, to: transition.target, cause: transition.cause)
    }
    state = transition.target
    if state != .expanded { parts[.two] = nil }
    var events = moved(to: geometry)
    events += exposed(exposure, at: time)
    if !transition.isRefit { events.append(stateChange) }
    let refit = transition.bounds == geometry.maxSize ? [] : refit(in: geometry)
    return deliverToAll(events) + refit + startUp(.two) + drain()
  }

  /// The host can't show it: whoever asked gets an `error`, and everything stays as it was.
  mutating func presentationFailed(_ reason: String) -> [MRAIDEffect] {
    guard let transition = pending else { return [] }
    pending = nil
    if transition.opensPartTwo { parts[.two] = nil }
    var effects: [MRAIDEffect] = []
    if appliedOrientation != transition.orientationBefore {
      appliedOrientation = transition.orientationBefore
      effects.append(.orientation(appliedOrientation))
    }
    if !transition.isRefit { effects += error(reason, transition.action, to: transition.origin ?? .one) }
    if let held {
      self.held = nil
      let new = held.geometry ?? geometry
      // What can't be refitted stays where it is; trying again would fail again.
      effects +=
        transition.isRefit
        ? relaid(new, held.exposure, at: held.time) : geometryChanged(new, held.exposure, at: held.time)
    }
    return effects + startUp(.two) + drain()
  }

  /// The screen changed under the ad; a new size comes with its exposure at once, a new place within the 200 ms.
  mutating func geometryChanged(_ new: HostGeometry, _ exposure: Exposure, at time: Double?) -> [MRAIDEffect] {
    guard pending == nil else {
      held = HeldGeometry(geometry: new, exposure: exposure, time: time)
      return []
    }
    if new.maxSize != geometry.maxSize {
      let refit = refit(in: new)
      guard refit.isEmpty else {
        held = HeldGeometry(geometry: new, exposure: exposure, time: time)
        return refit
      }
    }
    return relaid(new, exposure, at: time)
  }

  private mutating func relaid(_ new: HostGeometry, _ exposure: Exposure, at time: Double?) -> [MRAIDEffect] {
    let isRelaid =
      new.screenSize != geometry.screenSize || new.maxSize != geometry.maxSize
      || new.currentPosition.size != geometry.currentPosition.size
    var events = moved(to: new)
    guard isReady(.one) else {
      self.exposure = exposure
      return []
    }
    if isRelaid {
      events += exposed(exposure, at: time)
      return deliverToAll(events)
    }
    return deliverToAll(events) + exposureChanged(exposure, at: time)
  }

  /// What is visible changed: told at most every 200 ms, and not before `ready`.
  mutating func exposureChanged(_ new: Exposure, at time: Double?) -> [MRAIDEffect] {
    guard pending == nil else {
      held = HeldGeometry(geometry: held?.geometry, exposure: new, time: time)
      return []
    }
    exposure = new
    guard isReady(.one) else { return [] }
    let wasViewable = throttle.reported.isViewable
    return apply(throttle.offer(new, at: time), wasViewable: wasViewable)
  }

  /// The 200 ms are over; during a transition the newest exposure comes with its end instead.
  mutating func exposureDue(at time: Double) -> [MRAIDEffect] {
    let wasViewable = throttle.reported.isViewable
    guard pending == nil else {
      if held == nil { held = HeldGeometry(exposure: exposure, time: time) }
      throttle.expire()
      return []
    }
    return apply(throttle.due(at: time), wasViewable: wasViewable)
  }

  mutating func volumeChanged(_ new: Double?) -> [MRAIDEffect] {
    let new = Self.clamped(volume: new)
    guard new != volume else { return [] }
    volume = new
    return deliverToAll([audioVolumeChange])
  }

  /// Tells the host the ad's wish about turning if it is heard in that state and new.
  mutating func refreshOrientation(for target: MRAIDState) -> [MRAIDEffect] {
    let isHeard = target == .expanded || (profile.placementType == .interstitial && target == .default)
    var wish = isHeard ? orientationProperties : OrientationProperties()
    if !profile.behaviour.locksOrientation { wish.allowOrientationChange = true }
    guard wish != appliedOrientation else { return [] }
    appliedOrientation = wish
    return [.orientation(wish)]
  }

  private mutating func apply(_ outcome: ExposureThrottle.Outcome, wasViewable: Bool) -> [MRAIDEffect] {
    switch outcome {
    case .nothing: return []
    case .wait(let delay): return [.scheduleExposure(after: delay)]
    case .send: return deliverToAll(exposureEvents(wasViewable: wasViewable))
    }
  }

  /// Takes the geometry over; `sizeChange` when the ad's size is another.
  private mutating func moved(to new: HostGeometry) -> [MRAIDEvent] {
    let old = geometry.currentPosition.size
    geometry = new
    let size = new.currentPosition.size
    let unit = profile.behaviour.sizeChangeUnit == .physical ? profile.scale : 1
    let sides = [size.width, size.height].map { JSONValue.number(unit == 1 ? $0 : ($0 * unit).rounded()) }
    return size == old ? [] : [MRAIDEvent("sizeChange", sides)]
  }

  /// Takes the exposure over in a transition, whenever the last one was.
  private mutating func exposed(_ new: Exposure, at time: Double?) -> [MRAIDEvent] {
    exposure = new
    let old = throttle.reported
    throttle.send(new, at: time)
    return new == old ? [] : exposureEvents(wasViewable: old.isViewable)
  }

  private func exposureEvents(wasViewable: Bool) -> [MRAIDEvent] {
    let isViewable = throttle.reported.isViewable
    let change = MRAIDEvent("viewableChange", [.bool(isViewable)])
    return isViewable == wasViewable ? [exposureChange] : [exposureChange, change]
  }
}

extension MRAIDSession {
  /// Asks for a new place when a resized ad lies wrong in another content area; nothing when it lies right already.
  ///
  /// MRAID leaves open what becomes of a resized ad when the device turns. Here it keeps to what `resize()` asked for
  /// as far as a person can still close it, and getters and `sizeChange` follow once it stands.
  mutating func refit(in new: HostGeometry) -> [MRAIDEffect] {
    guard state == .resized, let properties = shownResize else { return [] }
    let rules = profile.behaviour.resize
    let frame = properties.refitted(in: new, rules: rules)
    guard !frame.isAlmost(new.currentPosition) else { return [] }
    pending = PendingTransition(
      target: .resized, cause: "turn", origin: nil, opensPartTwo: false, orientationBefore: appliedOrientation,
      bounds: new.maxSize, isRefit: true)
    return [.present(.resized(frame: frame, closePosition: properties.closePosition(by: rules)))]
  }
}

extension Rect {
  /// Whether no edge differs by as much as half a dip, which a conversion through the screen can cost.
  fileprivate func isAlmost(_ other: Rect) -> Bool {
    [x - other.x, y - other.y, width - other.width, height - other.height].allSatisfy { abs($0) < 0.5 }
  }
}

/// A transition the host was asked for and hasn't answered yet.
struct PendingTransition: Hashable, Sendable {
  var target: MRAIDState
  var cause: String
  /// Who asked; nil for the host's own close control.
  var origin: AdPart?
  /// Whether it brings the second part's page.
  var opensPartTwo: Bool
  /// What to go back to when it fails.
  var orientationBefore: OrientationProperties
  /// The content area that a resized ad's frame was made for; the device may turn before it stands.
  var bounds: Size?
  /// Whether the ad only finds a new place in the state it has: no `stateChange` and no `error`.
  var isRefit = false

  /// What `error` names as the action.
  var action: String { cause == "hostClose" ? "close" : cause }
}

/// What the host told of the screen while a transition was pending; `presented` supersedes it.
struct HeldGeometry: Hashable, Sendable {
  var geometry: HostGeometry?
  var exposure: Exposure
  var time: Double?
}

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
