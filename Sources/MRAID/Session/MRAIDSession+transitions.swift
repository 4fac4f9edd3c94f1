internal import Core

extension MRAIDSession {
  /// Asks the host for a transition; nothing else changes before it answers.
  mutating func begin(
    _ target: MRAIDState, _ presentation: Presentation, cause: String, from origin: AdPart?
  ) -> [MRAIDEffect] {
    var opensPartTwo = false
    if case .expanded(.some) = presentation { opensPartTwo = true }
    if opensPartTwo { parts.open(.two, knowing: initialProperties) }
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
    if state != .expanded { parts.close(.two) }
    var events = screen.move(to: geometry, on: profile)
    events += screen.expose(exposure, at: time)
    if !transition.isRefit { events.append(facts.stateChange) }
    let refit = transition.bounds == geometry.maxSize ? [] : refit(in: geometry)
    return deliverToAll(events) + refit + parts.startUp(.two, facts) + drain()
  }

  /// The host can't show it: whoever asked gets an `error`, and everything stays as it was.
  mutating func presentationFailed(_ reason: String) -> [MRAIDEffect] {
    guard let transition = pending else { return [] }
    pending = nil
    if transition.opensPartTwo { parts.close(.two) }
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
    return effects + parts.startUp(.two, facts) + drain()
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
    let isRelaid = screen.isRelaid(in: new)
    let events = screen.move(to: new, on: profile)
    guard isReady(.one) else {
      screen.exposure = exposure
      return []
    }
    if isRelaid { return deliverToAll(events + screen.expose(exposure, at: time)) }
    return deliverToAll(events) + exposureChanged(exposure, at: time)
  }

  /// What is visible changed: told at most every 200 ms, and not before `ready`.
  mutating func exposureChanged(_ new: Exposure, at time: Double?) -> [MRAIDEffect] {
    guard pending == nil else {
      held = HeldGeometry(geometry: held?.geometry, exposure: new, time: time)
      return []
    }
    guard isReady(.one) else {
      screen.exposure = new
      return []
    }
    return announceChange(screen.offer(new, at: time))
  }

  /// The 200 ms are over; during a transition the newest exposure comes with its end instead.
  mutating func exposureDue(at time: Double) -> [MRAIDEffect] {
    guard pending == nil else {
      if held == nil { held = HeldGeometry(exposure: screen.exposure, time: time) }
      screen.expire()
      return []
    }
    return announceChange(screen.due(at: time))
  }

  mutating func volumeChanged(_ new: Double?) -> [MRAIDEffect] {
    let new = HostProfile.clamped(volume: new)
    guard new != volume else { return [] }
    volume = new
    return deliverToAll([facts.audioVolumeChange])
  }

  /// Tells the host the ad's wish about turning if it is heard in that state and new.
  mutating func refreshOrientation(for target: MRAIDState) -> [MRAIDEffect] {
    let isHeard = target == .expanded || (profile.placementType == .interstitial && target == .default)
    var wish = isHeard ? settings.orientation : OrientationProperties()
    if !profile.behaviour.locksOrientation { wish.allowOrientationChange = true }
    guard wish != appliedOrientation else { return [] }
    appliedOrientation = wish
    return [.orientation(wish)]
  }

  private mutating func announceChange(_ change: ToldScreen.Change) -> [MRAIDEffect] {
    switch change {
    case .nothing: []
    case .wait(let delay): [.scheduleExposure(after: delay)]
    case .told(let events): deliverToAll(events)
    }
  }

  /// Asks for a new place when a resized ad lies wrong in another content area; nothing when it lies right already.
  ///
  /// MRAID leaves open what becomes of a resized ad when the device turns. Here it keeps to what `resize()` asked for
  /// as far as a person can still close it, and getters and `sizeChange` follow once it stands.
  private mutating func refit(in new: HostGeometry) -> [MRAIDEffect] {
    guard state == .resized, let properties = shownResize else { return [] }
    guard let presentation = properties.refit(in: new, rules: profile.behaviour.resize) else { return [] }
    pending = PendingTransition(
      target: .resized, cause: "turn", origin: nil, opensPartTwo: false, orientationBefore: appliedOrientation,
      bounds: new.maxSize, isRefit: true)
    return [.present(presentation)]
  }
}

extension ResizeProperties {
  /// Where the ad has to go in another content area; nil when it lies right already.
  fileprivate func refit(in new: HostGeometry, rules: ResizeRules) -> Presentation? {
    let frame = refitted(in: new, rules: rules)
    guard !frame.isAlmost(new.currentPosition) else { return nil }
    return .resized(frame: frame, closePosition: closePosition(by: rules))
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
