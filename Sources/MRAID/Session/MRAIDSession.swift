internal import Core

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
  /// As the getters tell it; held back while a transition is pending.
  package internal(set) var geometry: HostGeometry
  /// The newest the host told; what the page has been told may be up to 200 ms older.
  package internal(set) var exposure: Exposure
  package internal(set) var volume: Double?
  package internal(set) var expandProperties = ExpandProperties()
  /// The last valid ones; nil before any and after a rejection.
  package internal(set) var resizeProperties: ResizeProperties?
  package internal(set) var orientationProperties = OrientationProperties()
  /// What the newest `resize()` asked for, whatever has been set since; it decides where the ad lies after a turn.
  var shownResize: ResizeProperties?
  /// The newest change of state, with what led to it.
  package internal(set) var lastTransition: MRAIDTransition?
  /// Whether the ad has been taken away; nothing has an effect any more.
  package internal(set) var isUnloaded = false

  /// The parts that have a page.
  var parts: [AdPart: PartStatus] = [:]
  var pending: PendingTransition?
  /// What arrived while a transition was pending, oldest first.
  private var queue: [MRAIDInput] = []
  /// The screen's changes during a pending transition, in case it fails.
  var held: HeldGeometry?
  var throttle = ExposureThrottle()
  /// What the host was last told about turning.
  var appliedOrientation = OrientationProperties()

  /// How many calls may wait for a transition; a creative can't fill the memory with them.
  static let queueLimit = 1000

  package init(profile: HostProfile, geometry: HostGeometry, exposure: Exposure = .none) {
    self.profile = profile
    self.geometry = geometry
    self.exposure = exposure
    self.volume = Self.clamped(volume: profile.volume)
    parts = [.one: PartStatus(known: initialProperties)]
  }

  /// Whether a transition was asked for and not answered yet.
  package var isTransitioning: Bool { pending != nil }

  /// Whether the transition under way is to be told as one; a resized ad's refit after a turn isn't.
  package var isChangingState: Bool { pending?.isRefit == false }

  /// What the page's `isViewable()` answers.
  package var isViewable: Bool { parts[.one]?.seesExposure == true && throttle.reported.isViewable }

  /// Whether the part's page is there and got its `ready`.
  package func isReady(_ part: AdPart) -> Bool { parts[part]?.isReady == true }

  /// Takes one input and says what has to be done now, in order.
  package mutating func handle(_ input: MRAIDInput) -> [MRAIDEffect] {
    switch input {
    case .command, .hostClose: return accept(input)
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

  /// Acts now, or later when a transition is pending; calls before a part's `ready` start none, so they never wait.
  private mutating func accept(_ input: MRAIDInput) -> [MRAIDEffect] {
    guard pending != nil, !isUnloaded else { return act(on: input) }
    if case .command(_, let part, _) = input, !isReady(part) { return act(on: input) }
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

  static func clamped(volume: Double?) -> Double? {
    guard let volume, !volume.isNaN else { return nil }
    return min(max(volume, 0), 100)
  }
}

extension MRAIDInput {
  /// The call, or for a host close the call that has the same outcome.
  fileprivate var asCommand: MRAIDCommand {
    if case .command(let command, _, _) = self { command } else { .close }
  }
}

extension MRAIDSession {
  /// Brings a ready part's page up to date, then dispatches; nothing when there is nothing to tell.
  mutating func deliver(_ events: [MRAIDEvent], to part: AdPart) -> [MRAIDEffect] {
    guard var status = parts[part], status.isReady else { return [] }
    let events = profile.behaviour.told(events)
    let changed = properties(for: part).filter { status.known[$0.key] != $0.value }
    guard !changed.isEmpty || !events.isEmpty else { return [] }
    status.known.merge(changed) { $1 }
    status.overwritten.formUnion(Self.settable.intersection(changed.keys))
    parts[part] = status
    return [.deliver(BridgeUpdate(properties: changed, events: events), to: part)]
  }

  /// The same for every part that is ready.
  mutating func deliverToAll(_ events: [MRAIDEvent] = []) -> [MRAIDEffect] {
    AdPart.allCases.flatMap { deliver(events, to: $0) }
  }

  /// An `error` event, together with whatever changed.
  mutating func error(_ message: String, _ action: String, to part: AdPart) -> [MRAIDEffect] {
    let event = MRAIDEvent("error", [.string(message), .string(action)])
    guard isReady(part) else { return [.deliver(BridgeUpdate(events: [event]), to: part)] }
    return deliver([event], to: part)
  }

  /// The page's own merging of what it set stands, unless the host has written there before: then it is repeated.
  mutating func settled(_ key: String, from part: AdPart) -> [MRAIDEffect] {
    let isTrusted = parts[part]?.overwritten.contains(key) == false
    let value = isTrusted ? properties(for: part)[key] : nil
    parts[part]?.known[key] = value
    return deliverToAll()
  }

  /// What the page set didn't count: the host's value goes back with the next delivery.
  mutating func overruled(_ key: String, from part: AdPart) {
    parts[part]?.known[key] = nil
    parts[part]?.overwritten.insert(key)
  }

  /// The part's document is loaded: start-up, once per page.
  mutating func loaded(_ part: AdPart) -> [MRAIDEffect] {
    guard let status = parts[part], !status.isLoaded else { return [] }
    parts[part]?.isLoaded = true
    switch part {
    case .one:
      state = .default
      lastTransition = MRAIDTransition(from: .loading, to: .default, cause: "ready")
      throttle.send(exposure, at: nil)
      return startUp(.one) + refreshOrientation(for: .default)
    case .two:
      return pending == nil ? startUp(.two) : []
    }
  }

  /// `ready` and the first state, then the first viewability in a delivery of its own.
  mutating func startUp(_ part: AdPart) -> [MRAIDEffect] {
    guard var status = parts[part], status.isLoaded, !status.isReady else { return [] }
    status.isReady = true
    let wanted = status.wanted
    let known = status.known.filter { Self.settable.contains($0.key) }
    status.known = known
    parts[part] = status
    let ready = MRAIDEvent("ready")
    let tellsStateFirst = part == .one || profile.behaviour.tellsStateBeforeReady
    let first = deliver(tellsStateFirst ? [stateChange, ready] : [ready, stateChange], to: part)
    parts[part]?.seesExposure = true
    var events: [MRAIDEvent] = []
    let reported = throttle.reported
    if reported != .none || wanted.contains("exposureChange") { events.append(exposureChange) }
    if reported.isViewable { events.append(MRAIDEvent("viewableChange", [true])) }
    if wanted.contains("audioVolumeChange") { events.append(audioVolumeChange) }
    return first + deliver(events, to: part)
  }

  var stateChange: MRAIDEvent { MRAIDEvent("stateChange", [.string(state.rawValue)]) }
  var exposureChange: MRAIDEvent { MRAIDEvent("exposureChange", throttle.reported.arguments) }
  var audioVolumeChange: MRAIDEvent {
    MRAIDEvent("audioVolumeChange", [volume.map { .number($0) } ?? .null])
  }
}

/// One change of state that stands on screen.
package struct MRAIDTransition: Hashable, Sendable {
  package var from: MRAIDState
  package var to: MRAIDState
  /// `ready`, `expand`, `resize`, `close` or `hostClose`.
  package var cause: String
}

/// What one part's page has been told.
struct PartStatus: Hashable, Sendable {
  /// Its document is loaded; `ready` follows as soon as it is on screen.
  var isLoaded = false
  /// It got its `ready`.
  var isReady = false
  /// Its viewability has begun, which is just after `ready`.
  var seesExposure = false
  /// Values that are known to be in its page.
  var known: [String: JSONValue] = [:]
  /// Properties the host has written since the start: the page's own merging can't be relied on for them.
  var overwritten: Set<String> = []
  /// Events whose current value was asked for before `ready`.
  var wanted: Set<String> = []
}

/// The states of an MRAID ad; both parts of a two-part expand share one.
package enum MRAIDState: String, Sendable, Codable, CaseIterable {
  case loading, `default`, expanded, resized, hidden
}
