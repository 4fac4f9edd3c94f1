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
