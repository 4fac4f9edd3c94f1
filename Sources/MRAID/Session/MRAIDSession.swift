package import Core

/// Container of one ad: turns calls of the page and actions of the host into effects for the host.
///
/// A call that changes the state only requests it with `.present`. State, getters and events follow when the host
/// answers `.presented`; calls made in between wait in order. Rules for the host:
/// - Everything in one `.deliver` belongs together: all properties first, then the events.
/// - `ready` never comes with viewability: the exposure follows in a delivery of its own, as in the SDKs.
/// - Part two starts up only when it is both loaded and on screen, then gets `ready` and `stateChange("expanded")`.
/// - Properties set before `ready` are kept, as many creatives do so, and are reported as `.premature`; other calls are
///   ignored.
package struct MRAIDSession: Sendable {
  package let profile: HostProfile
  /// State of the ad, shared by both parts; a part that isn't ready still has `loading`.
  package internal(set) var state: MRAIDState = .loading
  /// Screen as the ad knows it; changes are held back while a transition is pending.
  var screen: ReportedGeometry
  /// Properties that the ad has set.
  var settings = AdSettings()
  var volume: Double?
  /// Properties of the newest `resize()`, even if others have been set since; they decide the ad's frame after a
  /// rotation.
  var shownResize: ResizeProperties?
  /// Newest change of state, with its cause; nil before the first.
  package internal(set) var lastTransition: MRAIDTransition?
  /// Indicates if the ad has been removed; no input has an effect any more.
  package internal(set) var isUnloaded = false

  /// Parts that have a page.
  var parts = AdParts()
  var pending: PendingTransition?
  /// Network that shows the ad if it is a playable; nil for other containers.
  var playable: PlayableHost?
  /// Calls and host closes that wait for a pending transition, oldest first.
  private var queue: [MRAIDInput] = []
  /// Changes of the screen during a pending transition, in case it fails.
  var held: HeldGeometry?
  /// Orientation properties that the host was last sent.
  var appliedOrientation = OrientationProperties()

  /// Maximum number of calls that wait for a transition, so that a creative can't fill the memory with them.
  static let queueLimit = 1000

  package init(profile: HostProfile, geometry: HostGeometry, exposure: Exposure = .none) {
    self.profile = profile
    screen = ReportedGeometry(geometry: geometry, exposure: exposure)
    volume = HostProfile.clamped(volume: profile.volume)
    let bridge = profile.behaviour.bridge
    if bridge.interface == .playable { playable = PlayableHost(bridge.playable) }
    parts.open(.one, knowing: initialProperties)
  }

  /// Indicates if a transition was requested and not yet answered.
  package var isTransitioning: Bool { pending != nil }

  /// Indicates if the pending transition changes the state; the refit of a resized ad after a rotation doesn't.
  package var isChangingState: Bool { pending?.isRefit == false }

  /// Value of `isViewable()` in the page of part one.
  package var isViewable: Bool { parts.seesExposure(.one) && screen.reported.isViewable }

  /// Geometry as the getters report it.
  package var geometry: HostGeometry { screen.geometry }

  /// Value of `getOrientationProperties()`.
  package var orientationProperties: OrientationProperties { settings.orientation }

  /// Properties for a part's bridge at document start: the current values, but loading and not viewable.
  package var initialProperties: [String: JSONValue] { facts.properties(state: .loading, seesExposure: false) }

  /// Indicates if the part's page exists and has received `ready`.
  package func isReady(_ part: AdPart) -> Bool { parts.isReady(part) }

  /// Current values for getters and events.
  var facts: AdFacts {
    AdFacts(
      profile: profile, state: state, geometry: geometry, settings: settings, exposure: screen.reported, volume: volume)
  }

  /// Handles one input and returns the effects that the host must perform now, in order.
  package mutating func handle(_ input: MRAIDInput) -> [MRAIDEffect] {
    if case .called(let call) = input { return called(call) }
    let effects = effects(of: input)
    guard playable != nil else { return effects }
    let facts = facts
    return playable?.translate(effects, facts) ?? effects
  }

  /// Handles a call of a playable to its network.
  private mutating func called(_ call: PlayableCall) -> [MRAIDEffect] {
    guard !isUnloaded, let role = playable?.interface.role(of: call.name) else { return [] }
    let facts = facts
    let events = playable?.called(call, facts) ?? []
    let sent: [MRAIDEffect] = events.isEmpty ? [] : [.deliver(BridgeUpdate(events: events), to: .one)]
    return (role == .store ? [.openStore] : []) + sent
  }

  private mutating func effects(of input: MRAIDInput) -> [MRAIDEffect] {
    switch input {
    case .command(let command, let part, let gesture) where !isUnloaded && !mustWait(input):
      return perform(command, from: part, gesture: gesture)
    case .command, .hostClose: return mustWait(input) ? keep(input) : act(on: input)
    case _ where isUnloaded, .called: return []
    case .loaded(let part): return loaded(part)
    case .presented(let geometry, let exposure, let time): return presented(geometry, exposure, at: time)
    case .presentationFailed(let reason): return presentationFailed(reason)
    case .geometryChanged(let geometry, let exposure, let time):
      return geometryChanged(geometry, exposure, at: time)
    case .exposureChanged(let exposure, let time): return exposureChanged(exposure, at: time)
    case .exposureDue(let time): return exposureDue(at: time)
    case .volumeChanged(let volume): return volumeChanged(volume)
    }
  }

  /// Indicates if an input must wait for a transition; calls before a part's `ready` start none, so they never wait.
  private func mustWait(_ input: MRAIDInput) -> Bool {
    guard pending != nil, !isUnloaded else { return false }
    if case .command(_, let part, _) = input { return isReady(part) }
    return true
  }

  private mutating func keep(_ input: MRAIDInput) -> [MRAIDEffect] {
    guard queue.count < Self.queueLimit else { return [.ignored(input.asCommand, reason: "too many calls at once")] }
    queue.append(input)
    return []
  }

  /// Performs a call or a host close, without a transition in its way.
  mutating func act(on input: MRAIDInput) -> [MRAIDEffect] {
    guard !isUnloaded else { return [.ignored(input.asCommand, reason: "the ad is unloaded")] }
    if case .command(let command, let part, let gesture) = input {
      return perform(command, from: part, gesture: gesture)
    }
    return close(cause: "hostClose", from: nil)
  }

  /// Performs waiting inputs, until one starts the next transition.
  mutating func drain() -> [MRAIDEffect] {
    var effects: [MRAIDEffect] = []
    while pending == nil, !queue.isEmpty { effects += act(on: queue.removeFirst()) }
    return effects
  }
}

extension MRAIDInput {
  /// The call itself, or the call with the same outcome for a host close.
  fileprivate var asCommand: MRAIDCommand {
    if case .command(let command, _, _) = self { command } else { .close }
  }
}

extension MRAIDSession {
  /// Updates every ready part's page, then dispatches the events; no effects if nothing has changed.
  mutating func deliverToAll(_ events: [MRAIDEvent] = []) -> [MRAIDEffect] {
    AdPart.allCases.flatMap { parts.deliver(events, to: $0, facts) }
  }

  /// Returns an `error` event, together with all changed properties.
  mutating func error(_ message: String, _ action: String, to part: AdPart) -> [MRAIDEffect] {
    let event = MRAIDEvent("error", [.string(message), .string(action)])
    guard isReady(part) else { return [.deliver(BridgeUpdate(events: [event]), to: part)] }
    return parts.deliver([event], to: part, facts)
  }

  /// Handles a loaded document: starts the part up, once per page.
  private mutating func loaded(_ part: AdPart) -> [MRAIDEffect] {
    guard parts.load(part) else { return [] }
    switch part {
    case .one:
      state = .default
      lastTransition = MRAIDTransition(from: .loading, to: .default, cause: "ready")
      screen.begin()
      return parts.startUp(.one, facts) + refreshOrientation(for: .default)
    case .two:
      return pending == nil ? parts.startUp(.two, facts) : []
    }
  }
}

/// Completed change of state that is on screen.
package struct MRAIDTransition: Hashable, Sendable {
  package var from: MRAIDState
  package var to: MRAIDState
  /// Cause of the change: `ready`, `expand`, `resize`, `close` or `hostClose`.
  package var cause: String
}

/// State of an MRAID ad; both parts of a two-part expand share one.
package enum MRAIDState: String, Sendable, Codable, CaseIterable {
  case loading, `default`, expanded, resized, hidden
}
