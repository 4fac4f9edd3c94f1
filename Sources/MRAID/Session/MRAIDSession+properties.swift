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
