internal import Core

/// All that getters and events tell, whichever part they tell it to.
struct AdFacts {
  let profile: HostProfile
  let state: MRAIDState
  let geometry: HostGeometry
  let settings: AdSettings
  /// What can be seen, as it was told last.
  let exposure: Exposure
  let volume: Double?

  var stateChange: MRAIDEvent { MRAIDEvent("stateChange", [.string(state.rawValue)]) }
  var exposureChange: MRAIDEvent { MRAIDEvent("exposureChange", exposure.arguments) }
  var audioVolumeChange: MRAIDEvent {
    MRAIDEvent("audioVolumeChange", [volume.map { .number($0) } ?? .null])
  }

  /// Every getter's value for a part in this state, by the bridge's property names; one that hasn't begun sees nothing.
  func properties(state: MRAIDState, seesExposure: Bool) -> [String: JSONValue] {
    [
      "state": .string(state.rawValue),
      "version": .string(profile.environment["version"]?.string ?? profile.behaviour.version),
      "placementType": .string(profile.placementType.rawValue),
      "supports": .object(supports),
      "screenSize": geometry.screenSize.json,
      "maxSize": geometry.maxSize.json,
      "defaultPosition": geometry.defaultPosition.json,
      "currentPosition": geometry.currentPosition.json,
      "expandProperties": settings.expand.json,
      "resizeProperties": settings.resize?.json ?? .null,
      "orientationProperties": settings.orientation.json,
      "location": profile.supports.contains("location") ? profile.location ?? -1 : -1,
      "appOrientation": [
        "orientation": .string(geometry.orientation.rawValue), "locked": .bool(geometry.orientationLocked),
      ],
      "isViewable": .bool(seesExposure && exposure.isViewable),
      "volume": volume.map { .number($0) } ?? .null,
    ]
  }

  private var supports: [String: JSONValue] {
    let features = profile.supports.union(HostProfile.features)
    return Dictionary(uniqueKeysWithValues: features.map { ($0, .bool(profile.supports.contains($0))) })
  }
}

/// The pages of an ad's parts: which are there, and what each has been told.
struct AdParts: Sendable {
  private var parts: [AdPart: PartStatus] = [:]

  /// Whether the part has a page.
  func has(_ part: AdPart) -> Bool { parts[part] != nil }

  /// Whether its page got its `ready`.
  func isReady(_ part: AdPart) -> Bool { parts[part]?.isReady == true }

  /// Whether its viewability has begun.
  func seesExposure(_ part: AdPart) -> Bool { parts[part]?.seesExposure == true }

  /// A page for the part is about to load, with these values in it.
  mutating func open(_ part: AdPart, knowing values: [String: JSONValue]) { parts[part] = PartStatus(known: values) }

  /// Its page is gone.
  mutating func close(_ part: AdPart) { parts[part] = nil }

  /// Its document is loaded; false when there is none, or it was already.
  mutating func load(_ part: AdPart) -> Bool {
    guard parts[part]?.isLoaded == false else { return false }
    parts[part]?.isLoaded = true
    return true
  }

  /// The event's present value was asked for before `ready`.
  mutating func want(_ event: String, for part: AdPart) { parts[part]?.wanted.insert(event) }

  /// Brings a ready part's page up to date, then dispatches; nothing when there is nothing to tell.
  mutating func deliver(_ events: [MRAIDEvent], to part: AdPart, _ facts: AdFacts) -> [MRAIDEffect] {
    guard var status = parts[part], status.isReady else { return [] }
    let events = facts.profile.behaviour.told(events)
    let changed = status.properties(facts).filter { status.known[$0.key] != $0.value }
    guard !changed.isEmpty || !events.isEmpty else { return [] }
    status.known.merge(changed) { $1 }
    status.overwritten.formUnion(AdSettings.names.intersection(changed.keys))
    parts[part] = status
    return [.deliver(BridgeUpdate(properties: changed, events: events), to: part)]
  }

  /// The page's own merging of what it set stands, unless the host has written there before: then it is repeated.
  mutating func settle(_ key: String, of part: AdPart, _ facts: AdFacts) {
    guard let status = parts[part] else { return }
    parts[part]?.known[key] = status.overwritten.contains(key) ? nil : status.properties(facts)[key]
  }

  /// What the page set didn't count: the host's value goes back with the next delivery.
  mutating func overrule(_ key: String, of part: AdPart) {
    parts[part]?.known[key] = nil
    parts[part]?.overwritten.insert(key)
  }

  /// `ready` and the first state, then the first viewability in a delivery of its own.
  mutating func startUp(_ part: AdPart, _ facts: AdFacts) -> [MRAIDEffect] {
    guard var status = parts[part], status.isLoaded, !status.isReady else { return [] }
    status.isReady = true
    let wanted = status.wanted
    let known = status.known.filter { AdSettings.names.contains($0.key) }
    status.known = known
    parts[part] = status
    let ready = MRAIDEvent("ready")
    let stateChange = facts.stateChange
    let tellsStateFirst = part == .one || facts.profile.behaviour.tellsStateBeforeReady
    let first = deliver(tellsStateFirst ? [stateChange, ready] : [ready, stateChange], to: part, facts)
    parts[part]?.seesExposure = true
    var events: [MRAIDEvent] = []
    if facts.exposure != .none || wanted.contains("exposureChange") { events.append(facts.exposureChange) }
    if facts.exposure.isViewable { events.append(MRAIDEvent("viewableChange", [true])) }
    if wanted.contains("audioVolumeChange") { events.append(facts.audioVolumeChange) }
    return first + deliver(events, to: part, facts)
  }
}

/// What one part's page has been told.
private struct PartStatus: Hashable, Sendable {
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

  /// Every getter's present value in its page.
  func properties(_ facts: AdFacts) -> [String: JSONValue] {
    facts.properties(state: isReady ? facts.state : .loading, seesExposure: seesExposure)
  }
}
