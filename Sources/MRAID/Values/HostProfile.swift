package import Core

/// What this host is and what it lets an ad do; fixed for an ad's life.
package struct HostProfile: Hashable, Sendable, Codable {
  package var placementType: PlacementType
  /// `window.MRAID_ENV`, exactly as the page sees it (version, sdk, sdkVersion required).
  package var environment: [String: JSONValue]
  /// Features that `supports()` answers true to: sms, tel, calendar, storePicture, inlineVideo, location, vpaid.
  package var supports: Set<String>
  /// Whether the (imagined) person confirms storePicture and createCalendarEvent; refusal is an `error`.
  package var confirms: Bool
  /// What `getLocation()` answers, nil for -1.
  package var location: JSONValue?
  /// 0–100, or nil when unknown.
  package var volume: Double?
  /// Where the host departs from the standard.
  package var behaviour: ContainerBehaviour
  /// The device's own pixels in a dip.
  package var scale: Double

  /// Features that `supports()` knows; any other is false.
  static let features = ["sms", "tel", "calendar", "storePicture", "inlineVideo", "location", "vpaid"]

  package init(
    placementType: PlacementType, environment: [String: JSONValue], supports: Set<String>, confirms: Bool = true,
    location: JSONValue? = nil, volume: Double? = 100, behaviour: ContainerBehaviour = .spec, scale: Double = 1
  ) {
    self.placementType = placementType
    self.environment = environment
    self.supports = supports
    self.confirms = confirms
    self.location = location
    self.volume = volume
    self.behaviour = behaviour
    self.scale = scale
  }
}

extension HostProfile {
  /// A volume as the ad is told of it; nil for what is none.
  static func clamped(volume: Double?) -> Double? {
    guard let volume, !volume.isNaN else { return nil }
    return min(max(volume, 0), 100)
  }
}

/// How the host shows the ad; never changes during an ad's life.
package enum PlacementType: String, Sendable, Codable, CaseIterable {
  case inline, interstitial
}

/// What the host knows of its screen, in dip.
package struct HostGeometry: Hashable, Sendable, Codable {
  /// The device's screen in its present orientation.
  package var screenSize: Size
  /// The app's content area: the largest an ad can become.
  package var maxSize: Size
  /// Where the ad's slot is, from the content area's top-left.
  package var defaultPosition: Rect
  /// Where the ad is now, from the content area's top-left.
  package var currentPosition: Rect
  /// How the app stands.
  package var orientation: AppOrientation
  /// Whether the app refuses to turn.
  package var orientationLocked: Bool

  package init(
    screenSize: Size, maxSize: Size, defaultPosition: Rect, currentPosition: Rect, orientation: AppOrientation,
    orientationLocked: Bool = false
  ) {
    self.screenSize = screenSize
    self.maxSize = maxSize
    self.defaultPosition = defaultPosition
    self.currentPosition = currentPosition
    self.orientation = orientation
    self.orientationLocked = orientationLocked
  }
}

/// How much of the ad can be seen, as `exposureChange` reports it (MRAID 3.0 §7).
package struct Exposure: Hashable, Sendable, Codable {
  /// 0.0–100.0, of the ad's own area.
  package var exposedPercentage: Double
  /// The visible part, from the ad container's top-left; nil when nothing is visible.
  package var visibleRectangle: Rect?
  /// What covers the visible rectangle: not overlapping, largest first; nil when nothing does.
  package var occlusionRectangles: [Rect]?

  package init(exposedPercentage: Double, visibleRectangle: Rect?, occlusionRectangles: [Rect]? = nil) {
    self.exposedPercentage = exposedPercentage
    self.visibleRectangle = visibleRectangle
    self.occlusionRectangles = occlusionRectangles
  }

  /// Nothing of the ad can be seen.
  package static let none = Exposure(exposedPercentage: 0, visibleRectangle: nil)
}

extension Exposure {
  /// Whether any of the ad can be seen: what `isViewable` and `viewableChange` tell.
  package var isViewable: Bool { exposedPercentage > 0 }

  /// The three arguments of `exposureChange`.
  package var arguments: [JSONValue] {
    [
      .number(exposedPercentage),
      visibleRectangle?.json ?? .null,
      occlusionRectangles.map { .array($0.map(\.json)) } ?? .null,
    ]
  }
}
