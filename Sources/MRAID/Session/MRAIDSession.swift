package import Core

/// One ad's container: what the page asks and what the host does goes in, what has to be done comes out.
///
/// A call that changes the state only asks for it with `.present`. State, getters and events follow when the host
/// answers `.presented`; calls made in between wait in order. What the host has to know:
/// - Everything in one `.deliver` belongs together: all properties first, then the events.
/// - `ready` never comes with viewability: the exposure follows in a delivery of its own, as in the SDKs.
/// - Part two starts up only when it is both loaded and on screen, then gets `ready` and `stateChange("expanded")`.
/// - Properties set before `ready` are kept (many creatives do it) and reported as `.premature`; other calls are ignored.
package struct MRAIDSession: Sendable {
  package let profile: HostProfile
  /// Shared by both parts; a part that isn't ready still sees `loading`.
  package internal(set) var state: MRAIDState = .loading
  /// What the ad has been told of the screen; held back while a transition is pending.
  var screen: ToldScreen
  /// What it has set.
  var settings = AdSettings()
  var volume: Double?
  /// What the newest `resize()` asked for, whatever has been set since; it decides where the ad lies after a turn.
  var shownResize: ResizeProperties?
  /// The newest change of state, with what led to it.
  package internal(set) var lastTransition: MRAIDTransition?
  /// Whether the ad has been taken away; nothing has an effect any more.
  package internal(set) var isUnloaded = false

  /// The parts that have a page.
  var parts = AdParts()
  var pending: PendingTransition?
  /// What arrived while a transition was pending, oldest first.
  private var queue: [MRAIDInput] = []
  /// The screen's changes during a pending transition, in case it fails.
  var held: HeldGeometry?
  /// What the host was last told about turning.
  var appliedOrientation = OrientationProperties()

  /// How many calls may wait for a transition; a creative can't fill the memory with them.
  static let queueLimit = 1000

  package init(profile: HostProfile, geometry: HostGeometry, exposure: Exposure = .none) {
    self.profile = profile
    screen = ToldScreen(geometry: geometry, exposure: exposure)
    volume = HostProfile.clamped(volume: profile.volume)
    parts.open(.one, knowing: initialProperties)
  }

  /// Whether a transition was asked for and not answered yet.
  package var isTransitioning: Bool { pending != nil }

  /// Whether the transition under way is to be told as one; a resized ad's refit after a turn isn't.
  package var isChangingState: Bool { pending?.isRefit == false }

  /// What the page's `isViewable()` answers.
  package var isViewable: Bool { parts.seesExposure(.one) && screen.reported.isViewable }

  /// As the getters tell it.
  package var geometry: HostGeometry { screen.geometry }

  /// What `getOrientationProperties()` answers.
  package var orientationProperties: OrientationProperties { settings.orientation }

  /// What a part's bridge needs at document start: as now, but still loading and not viewable.
  package var initialProperties: [String: JSONValue] { facts.properties(state: .loading, seesExposure: false) }

  /// Whether the part's page is there and got its `ready`.
  package func isReady(_ part: AdPart) -> Bool { parts.isReady(part) }

  /// All that is told of the ad as it is now.
  var facts: AdFacts {
    AdFacts(
      profile: profile, state: state, geometry: geometry, settings: settings, exposure: screen.reported, volume: volume)
  }

  /// Takes one input and says what has to be done now, in order.
  package mutating func handle(_ input: MRAIDInput) -> [MRAIDEffect] {
    switch input {
    case .command(let command, let part, let gesture) where !isUnloaded && !mustWait(input):
      return perform(command, from: part, gesture: gesture)
    case .command, .hostClose: return mustWait(input) ? keep(input) : act(on: input)
    case _ where isUnloaded: return []
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

  /// Whether a transition is in its way; calls before a part's `ready` start none, so they never wait.
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

  /// Acts on a call or a host close with no transition in its way.
  mutating func act(on input: MRAIDInput) -> [MRAIDEffect] {
    guard !isUnloaded else { return [.ignored(input.asCommand, reason: "the ad is unloaded")] }
    if case .command(let command, let part, let gesture) = input {
      return perform(command, from: part, gesture: gesture)
    }
    return close(cause: "hostClose", from: nil)
  }

  /// Acts on what waited, until one starts the next transition.
  mutating func drain() -> [MRAIDEffect] {
    var effects: [MRAIDEffect] = []
    while pending == nil, !queue.isEmpty { effects += act(on: queue.removeFirst()) }
    return effects
  }
}

extension MRAIDInput {
  /// The call, or for a host close the call that has the same outcome.
  fileprivate var asCommand: MRAIDCommand {
    if case .command(let command, _, _) = self { command } else { .close }
  }
}

extension MRAIDSession {
  /// Brings every ready part's page up to date, then dispatches; nothing where there is nothing to tell.
  mutating func deliverToAll(_ events: [MRAIDEvent] = []) -> [MRAIDEffect] {
    AdPart.allCases.flatMap { parts.deliver(events, to: $0, facts) }
  }

  /// An `error` event, together with whatever changed.
  mutating func error(_ message: String, _ action: String, to part: AdPart) -> [MRAIDEffect] {
    let event = MRAIDEvent("error", [.string(message), .string(action)])
    guard isReady(part) else { return [.deliver(BridgeUpdate(events: [event]), to: part)] }
    return parts.deliver([event], to: part, facts)
  }

  /// The part's document is loaded: start-up, once per page.
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

/// One change of state that stands on screen.
package struct MRAIDTransition: Hashable, Sendable {
  package var from: MRAIDState
  package var to: MRAIDState
  /// `ready`, `expand`, `resize`, `close` or `hostClose`.
  package var cause: String
}

/// The states of an MRAID ad; both parts of a two-part expand share one.
package enum MRAIDState: String, Sendable, Codable, CaseIterable {
  case loading, `default`, expanded, resized, hidden
}
