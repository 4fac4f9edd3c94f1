package import Core

/// Properties of the host and the features it allows; fixed for an ad's life.
package struct HostProfile: Hashable, Sendable, Codable {
  package var placementType: PlacementType
  /// Value of `window.MRAID_ENV`, exactly as the page sees it (version, sdk, sdkVersion required).
  package var environment: [String: JSONValue]
  /// Features for which `supports()` returns true: sms, tel, calendar, storePicture, inlineVideo, location, vpaid.
  package var supports: Set<String>
  /// Indicates if the simulated user confirms storePicture and createCalendarEvent; a refusal is an `error`.
  package var confirms: Bool
  /// Value of `getLocation()`; nil for -1.
  package var location: JSONValue?
  /// Volume of 0–100; nil if unknown.
  package var volume: Double?
  /// Behaviour of the container, where it differs from the standard.
  package var behaviour: ContainerBehaviour
  /// The device's own pixels per dip.
  package var scale: Double

  /// Features known to `supports()`; it returns false for any other.
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
  /// Returns the volume within 0–100, as the ad receives it; nil for nil and NaN.
  static func clamped(volume: Double?) -> Double? {
    guard let volume, !volume.isNaN else { return nil }
    return min(max(volume, 0), 100)
  }
}

/// Placement type of the ad; never changes during an ad's life.
package enum PlacementType: String, Sendable, Codable, CaseIterable {
  case inline, interstitial
}

/// Geometry of the host's screen, in dip.
package struct HostGeometry: Hashable, Sendable, Codable {
  /// Size of the device's screen in its current orientation.
  package var screenSize: Size
  /// Size of the app's content area: the largest that an ad can become.
  package var maxSize: Size
  /// Frame of the ad's slot, from the content area's top-left.
  package var defaultPosition: Rect
  /// Current frame of the ad, from the content area's top-left.
  package var currentPosition: Rect
  /// Current orientation of the app.
  package var orientation: AppOrientation
  /// Indicates if the app doesn't rotate.
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

/// Visible portion of the ad, as `exposureChange` reports it (MRAID 3.0 §7).
package struct Exposure: Hashable, Sendable, Codable {
  /// Percentage of the ad's own area, 0.0–100.0.
  package var exposedPercentage: Double
  /// Visible part, from the ad container's top-left; nil if nothing is visible.
  package var visibleRectangle: Rect?
  /// Areas that cover parts of the visible rectangle: not overlapping, largest first; nil if there are none.
  package var occlusionRectangles: [Rect]?

  package init(exposedPercentage: Double, visibleRectangle: Rect?, occlusionRectangles: [Rect]? = nil) {
    self.exposedPercentage = exposedPercentage
    self.visibleRectangle = visibleRectangle
    self.occlusionRectangles = occlusionRectangles
  }

  /// Exposure of an ad that isn't visible.
  package static let none = Exposure(exposedPercentage: 0, visibleRectangle: nil)
}

extension Exposure {
  /// Indicates if any part of the ad is visible, as `isViewable` and `viewableChange` report it.
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
