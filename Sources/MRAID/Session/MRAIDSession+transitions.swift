internal import Core

extension MRAIDSession {
  /// Requests a transition from the host; nothing else changes before it answers.
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

  /// Completes a transition that the host has shown: updates state and getters, sends events, then handles waiting
  /// calls.
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

  /// Cancels a transition that the host can't show: the requesting part gets an `error`, and the state remains.
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

  /// Handles a change of the screen: a new size is sent with its exposure at once, the exposure at a new position
  /// within 200 ms.
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

  /// Handles a change of exposure, which is sent at most every 200 ms, and not before `ready`.
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

  /// Handles the end of the 200 ms; during a transition the newest exposure is sent with its end instead.
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

  /// Sends the host the ad's orientation properties if they count in that state and have changed.
  mutating func refreshOrientation(for target: MRAIDState) -> [MRAIDEffect] {
    let isHeard = target == .expanded || (profile.placementType == .interstitial && target == .default)
    var wish = isHeard ? settings.orientation : OrientationProperties()
    if !profile.behaviour.locksOrientation { wish.allowOrientationChange = true }
    guard wish != appliedOrientation else { return [] }
    appliedOrientation = wish
    return [.orientation(wish)]
  }

  private mutating func announceChange(_ change: ReportedGeometry.Change) -> [MRAIDEffect] {
    switch change {
    case .nothing: []
    case .wait(let delay): [.scheduleExposure(after: delay)]
    case .told(let events): deliverToAll(events)
    }
  }

  /// Requests a new frame for a resized ad that doesn't fit the changed content area; no effects if it already fits.
  ///
  /// MRAID leaves open how a resized ad changes when the device rotates. Here it keeps the frame of `resize()` as far
  /// as the user can still close it; getters and `sizeChange` follow once it is on screen.
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
  /// Returns the presentation of the ad in another content area; nil if its frame is right already.
  fileprivate func refit(in new: HostGeometry, rules: ResizeRules) -> Presentation? {
    let frame = refitted(in: new, rules: rules)
    guard !frame.isAlmost(new.currentPosition) else { return nil }
    return .resized(frame: frame, closePosition: closePosition(by: rules))
  }
}

extension Rect {
  /// Returns true if all edges differ by less than half a dip, which a conversion through the screen can cost.
  fileprivate func isAlmost(_ other: Rect) -> Bool {
    [x - other.x, y - other.y, width - other.width, height - other.height].allSatisfy { abs($0) < 0.5 }
  }
}

/// Transition that was requested from the host and not yet answered.
struct PendingTransition: Hashable, Sendable {
  var target: MRAIDState
  var cause: String
  /// Part that requested it; nil for the host's own close control, and for a refit.
  var origin: AdPart?
  /// Indicates if it opens the second part's page.
  var opensPartTwo: Bool
  /// Orientation properties to restore if it fails.
  var orientationBefore: OrientationProperties
  /// Content area for which a resized ad's frame was computed; the device may rotate before it is shown.
  var bounds: Size?
  /// Indicates if the ad only gets a new frame in its current state, without `stateChange` or `error`.
  var isRefit = false

  /// Name of the action that `error` gives.
  var action: String { cause == "hostClose" ? "close" : cause }
}

/// Screen that the host reported during a transition; `presented` supersedes it.
struct HeldGeometry: Hashable, Sendable {
  var geometry: HostGeometry?
  var exposure: Exposure
  var time: Double?
}
