internal import Core

/// Settings of an ad that the host has accepted: expand, resize and orientation properties.
struct AdSettings: Hashable, Sendable {
  /// Properties that the page merges itself as it sets them, by the bridge's names.
  static let names: Set<String> = ["expandProperties", "resizeProperties", "orientationProperties"]

  /// Outcome of a call that sets properties.
  enum Outcome {
    /// Accepted; with the ad's choice of its own close control if the call changed it, otherwise nil.
    case kept(customClose: Bool?)
    /// Without effect, for this reason.
    case ignored(String)
    /// Invalid; the previous properties are unset.
    case rejected(ResizeRejection)
  }

  private(set) var expand = ExpandProperties()
  /// Last valid resize properties; nil before any were set and after a rejection.
  var resize: ResizeProperties?
  private(set) var orientation = OrientationProperties()

  /// Applies properties that the page set; a resize must fit into `geometry`.
  mutating func set(
    _ command: MRAIDCommand, isExpanded: Bool, in geometry: HostGeometry, rules: ResizeRules
  ) -> Outcome {
    switch command {
    case .setExpandProperties(let value):
      guard !isExpanded else { return .ignored("the ad is expanded") }
      let before = expand.useCustomClose
      expand.merge(value)
      return .kept(customClose: expand.useCustomClose == before ? nil : expand.useCustomClose)
    case .setResizeProperties(let value):
      do throws(ResizeRejection) {
        let properties = try ResizeProperties(value, rules: rules)
        _ = try properties.frame(in: geometry, rules: rules, checksRegion: rules.checksRegionEarly)
        resize = properties
        return .kept(customClose: nil)
      } catch {
        return .rejected(error)
      }
    case .setOrientationProperties(let value):
      orientation.merge(value)
      return .kept(customClose: nil)
    case .useCustomClose(let value):
      expand.useCustomClose = value
      return .kept(customClose: value)
    default: return .kept(customClose: nil)
    }
  }
}

extension MRAIDCommand {
  /// Name of the property that the page has changed itself in this call; nil for other calls.
  var settableKey: String? {
    switch self {
    case .setExpandProperties, .useCustomClose: "expandProperties"
    case .setResizeProperties: "resizeProperties"
    case .setOrientationProperties: "orientationProperties"
    default: nil
    }
  }
}
