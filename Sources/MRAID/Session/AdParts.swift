internal import Core

/// Values for getters and events, the same for both parts.
struct AdFacts {
  let profile: HostProfile
  let state: MRAIDState
  let geometry: HostGeometry
  let settings: AdSettings
  /// Exposure that the ad was last sent.
  let exposure: Exposure
  let volume: Double?

  var stateChange: MRAIDEvent { MRAIDEvent("stateChange", [.string(state.rawValue)]) }
  var exposureChange: MRAIDEvent { MRAIDEvent("exposureChange", exposure.arguments) }
  var audioVolumeChange: MRAIDEvent {
    MRAIDEvent("audioVolumeChange", [volume.map { .number($0) } ?? .null])
  }

  /// Returns the values of all getters for a part in this state, by the bridge's property names.
  ///
  /// Without `seesExposure` the part isn't viewable.
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

/// Pages of an ad's parts, with the values that each has received.
struct AdParts: Sendable {
  private var parts: [AdPart: PartStatus] = [:]

  /// Indicates if the part has a page.
  func has(_ part: AdPart) -> Bool { parts[part] != nil }

  /// Indicates if the part's page has received `ready`.
  func isReady(_ part: AdPart) -> Bool { parts[part]?.isReady == true }

  /// Indicates if the part receives its viewability, which begins just after `ready`.
  func seesExposure(_ part: AdPart) -> Bool { parts[part]?.seesExposure == true }

  /// Adds a page for the part, which is about to load with these values in it.
  mutating func open(_ part: AdPart, knowing values: [String: JSONValue]) { parts[part] = PartStatus(known: values) }

  /// Removes the part's page.
  mutating func close(_ part: AdPart) { parts[part] = nil }

  /// Records that the part's document has loaded; false if there is no page, or if it was loaded before.
  mutating func load(_ part: AdPart) -> Bool {
    guard parts[part]?.isLoaded == false else { return false }
    parts[part]?.isLoaded = true
    return true
  }

  /// Records that the page added a listener for the event before `ready`, to be answered with the current value.
  mutating func want(_ event: String, for part: AdPart) { parts[part]?.wanted.insert(event) }

  /// Updates a ready part's page, then dispatches the events; returns no effect if nothing has changed.
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

  /// Records that the page has merged a property itself.
  ///
  /// If the host has written that property before, the page's value isn't relied on and the host's is sent again.
  mutating func settle(_ key: String, of part: AdPart, _ facts: AdFacts) {
    guard let status = parts[part] else { return }
    parts[part]?.known[key] = status.overwritten.contains(key) ? nil : status.properties(facts)[key]
  }

  /// Records that a value set by the page is invalid: the next delivery restores the host's value.
  mutating func overrule(_ key: String, of part: AdPart) {
    parts[part]?.known[key] = nil
    parts[part]?.overwritten.insert(key)
  }

  /// Sends `ready` and the first state to a loaded part, then the first viewability in a delivery of its own.
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

/// State of one part's page.
private struct PartStatus: Hashable, Sendable {
  /// Indicates that its document has loaded; `ready` follows as soon as it is on screen.
  var isLoaded = false
  /// Indicates that it has received `ready`.
  var isReady = false
  /// Indicates that it receives its viewability, which begins just after `ready`.
  var seesExposure = false
  /// Values known to be in the page.
  var known: [String: JSONValue] = [:]
  /// Properties that the host has written since the start, for which the page's own merging can't be relied on.
  var overwritten: Set<String> = []
  /// Events whose current value was requested before `ready`.
  var wanted: Set<String> = []

  /// Returns the current values of all getters in this part's page.
  func properties(_ facts: AdFacts) -> [String: JSONValue] {
    facts.properties(state: isReady ? facts.state : .loading, seesExposure: seesExposure)
  }
}
