package import Core

extension MRAIDSession {
  /// Acts on a call by MRAID's table of states; see the reasons for what has no effect.
  mutating func perform(_ command: MRAIDCommand, from part: AdPart, gesture: Bool) -> [MRAIDEffect] {
    guard let status = parts[part] else { return [.ignored(command, reason: "the second part is closed")] }
    switch command {
    case .unload: return unload()
    case .addEventListener(let event): return listened(to: event, from: part)
    case .misuse(let action, let message) where action.hasSuffix("EventListener"):
      return error(message, action, to: part)
    case _ where !status.isReady: return performBeforeReady(command, from: part)
    case _ where state == .hidden: return performHidden(command, from: part)
    case .expand(let url): return expand(url, from: part)
    case .resize: return resize(from: part)
    case .close: return close(cause: "close", from: part)
    case .setExpandProperties, .setResizeProperties, .setOrientationProperties, .useCustomClose:
      return set(command, from: part)
    case .open, .playVideo, .storePicture, .createCalendarEvent, .initVpaid:
      return useDevice(command, from: part, gesture: gesture)
    case .misuse(let action, let message): return error(message, action, to: part)
    }
  }

  /// The same outcome for `close()` and for the host's own control.
  mutating func close(cause: String, from part: AdPart?) -> [MRAIDEffect] {
    switch (state, profile.placementType) {
    case (.expanded, _), (.resized, _): return begin(.default, .default, cause: cause, from: part)
    case (.default, .interstitial): return begin(.hidden, .hidden, cause: cause, from: part)
    case (.default, .inline): return [.ignored(.close, reason: "the host keeps a banner in its default state")]
    case (.loading, _): return [.ignored(.close, reason: "the ad is loading")]
    case (.hidden, _): return [.ignored(.close, reason: "the ad is hidden")]
    }
  }

  private mutating func expand(_ url: String?, from part: AdPart) -> [MRAIDEffect] {
    let command = MRAIDCommand.expand(url: url)
    guard state != .expanded else { return [.ignored(command, reason: "the ad is expanded already")] }
    guard profile.placementType == .inline else { return [.ignored(command, reason: "an interstitial can't expand")] }
    let address = url.map(AdLink.trim).flatMap { $0.isEmpty ? nil : $0 }
    if let address, let problem = AdLink.resourceProblem(address) { return error(problem, "expand", to: part) }
    return begin(.expanded, .expanded(url: address), cause: "expand", from: part)
  }

  private mutating func resize(from part: AdPart) -> [MRAIDEffect] {
    if state == .expanded { return error("an expanded ad can't be resized", "resize", to: part) }
    guard profile.placementType == .inline else { return [.ignored(.resize, reason: "an interstitial can't resize")] }
    guard let properties = resizeProperties else {
      return error("resize() needs valid setResizeProperties() first", "resize", to: part)
    }
    do throws(ResizeRejection) {
      let rules = profile.behaviour.resize
      let frame = try properties.frame(in: geometry, rules: rules)
      let presentation = Presentation.resized(frame: frame, closePosition: properties.closePosition(by: rules))
      shownResize = properties
      return begin(.resized, presentation, cause: "resize", from: part)
    } catch {
      return reject(error, "resize", from: part)
    }
  }

  private mutating func unload() -> [MRAIDEffect] {
    isUnloaded = true
    pending = nil
    held = nil
    return [.unload] + drain()
  }

  /// Some events answer a new listener with the present value, for all listeners; before `ready` it waits for that.
  private mutating func listened(to event: String, from part: AdPart) -> [MRAIDEffect] {
    guard event == "exposureChange" || event == "audioVolumeChange" else { return [] }
    guard profile.behaviour.answersListeners else { return [] }
    guard isReady(part) else {
      parts[part]?.wanted.insert(event)
      return []
    }
    return deliver([event == "exposureChange" ? exposureChange : audioVolumeChange], to: part)
  }

  /// Properties are kept, without `error`; anything else has no effect before `ready`.
  private mutating func performBeforeReady(_ command: MRAIDCommand, from part: AdPart) -> [MRAIDEffect] {
    switch command {
    case .setExpandProperties, .setResizeProperties, .setOrientationProperties, .useCustomClose:
      return [.premature(command)] + set(command, from: part)
    default: return [.ignored(command, reason: "the ad is loading")]
    }
  }

  /// Nothing has an effect; what the page merged already is taken back.
  private mutating func performHidden(_ command: MRAIDCommand, from part: AdPart) -> [MRAIDEffect] {
    let ignored = MRAIDEffect.ignored(command, reason: "the ad is hidden")
    guard let key = command.settableKey else { return [ignored] }
    overruled(key, from: part)
    return [ignored] + deliverToAll()
  }
}

extension MRAIDSession {
  /// Takes over properties that the page set.
  mutating func set(_ command: MRAIDCommand, from part: AdPart) -> [MRAIDEffect] {
    switch command {
    case .setExpandProperties(let value): return setExpandProperties(value, from: part)
    case .setResizeProperties(let value): return setResizeProperties(value, from: part)
    case .setOrientationProperties(let value): return setOrientationProperties(value, from: part)
    case .useCustomClose(let value):
      expandProperties.useCustomClose = value
      return [.customClose(value)] + settled("expandProperties", from: part)
    default: return []
    }
  }

  private mutating func setExpandProperties(_ value: JSONValue, from part: AdPart) -> [MRAIDEffect] {
    guard state != .expanded else {
      overruled("expandProperties", from: part)
      return [.ignored(.setExpandProperties(value), reason: "the ad is expanded")] + deliverToAll()
    }
    let before = expandProperties.useCustomClose
    expandProperties.merge(value)
    let after = expandProperties.useCustomClose
    return (after == before ? [] : [.customClose(after)]) + settled("expandProperties", from: part)
  }

  private mutating func setResizeProperties(_ value: JSONValue, from part: AdPart) -> [MRAIDEffect] {
    do throws(ResizeRejection) {
      let rules = profile.behaviour.resize
      let properties = try ResizeProperties(value, rules: rules)
      _ = try properties.frame(in: geometry, rules: rules, checksRegion: rules.checksRegionEarly)
      resizeProperties = properties
      return settled("resizeProperties", from: part)
    } catch {
      return reject(error, "setResizeProperties", from: part)
    }
  }

  private mutating func setOrientationProperties(_ value: JSONValue, from part: AdPart) -> [MRAIDEffect] {
    orientationProperties.merge(value)
    return settled("orientationProperties", from: part) + refreshOrientation(for: state)
  }

  /// Unsets the resize properties and, once the part is ready, tells it why.
  mutating func reject(_ rejection: ResizeRejection, _ action: String, from part: AdPart) -> [MRAIDEffect] {
    resizeProperties = nil
    overruled("resizeProperties", from: part)
    guard isReady(part) else { return deliverToAll() }
    let other: AdPart = part == .one ? .two : .one
    return error(rejection.description, action, to: part) + deliver([], to: other)
  }
}

extension MRAIDCommand {
  /// The property that the page has changed on its own by this call.
  var settableKey: String? {
    switch self {
    case .setExpandProperties, .useCustomClose: "expandProperties"
    case .setResizeProperties: "resizeProperties"
    case .setOrientationProperties: "orientationProperties"
    default: nil
    }
  }
}

extension MRAIDSession {
  /// Features that `supports()` knows; any other is false.
  package static let features = ["sms", "tel", "calendar", "storePicture", "inlineVideo", "location", "vpaid"]

  /// Properties that the page merges itself as soon as it sets them.
  static let settable: Set<String> = ["expandProperties", "resizeProperties", "orientationProperties"]

  /// What the first part's bridge needs at document start.
  package var initialProperties: [String: JSONValue] { initialProperties(for: .one) }

  /// What the part's bridge needs at document start: as now, but still loading and not viewable.
  package func initialProperties(for part: AdPart) -> [String: JSONValue] {
    var properties = properties(for: part)
    properties["state"] = .string(MRAIDState.loading.rawValue)
    properties["isViewable"] = false
    return properties
  }

  /// Every getter's present value in the part's page, by the bridge's property names.
  func properties(for part: AdPart) -> [String: JSONValue] {
    let status = parts[part] ?? PartStatus()
    let shownState = status.isReady ? state : .loading
    return [
      "state": .string(shownState.rawValue),
      "version": .string(version),
      "placementType": .string(profile.placementType.rawValue),
      "supports": .object(supports),
      "screenSize": geometry.screenSize.json,
      "maxSize": geometry.maxSize.json,
      "defaultPosition": geometry.defaultPosition.json,
      "currentPosition": geometry.currentPosition.json,
      "expandProperties": expandProperties.json,
      "resizeProperties": resizeProperties?.json ?? .null,
      "orientationProperties": orientationProperties.json,
      "location": profile.supports.contains("location") ? profile.location ?? -1 : -1,
      "appOrientation": [
        "orientation": .string(geometry.orientation.rawValue), "locked": .bool(geometry.orientationLocked),
      ],
      "isViewable": .bool(status.seesExposure && throttle.reported.isViewable),
      "volume": volume.map { .number($0) } ?? .null,
    ]
  }

  private var version: String { profile.environment["version"]?.string ?? profile.behaviour.version }

  private var supports: [String: JSONValue] {
    let features = profile.supports.union(Self.features)
    return Dictionary(uniqueKeysWithValues: features.map { ($0, .bool(profile.supports.contains($0))) })
  }
}
