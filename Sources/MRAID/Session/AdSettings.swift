internal import Core

/// What an ad has set, as the host has taken it over: expand, resize and orientation properties.
struct AdSettings: Hashable, Sendable {
  /// Properties that the page merges itself as soon as it sets them, by the bridge's names.
  static let names: Set<String> = ["expandProperties", "resizeProperties", "orientationProperties"]

  /// What a call that sets something comes to.
  enum Outcome {
    /// It counts; with what the ad now wishes of its close control, where the call was about that.
    case kept(customClose: Bool?)
    /// It has no effect, and why.
    case ignored(String)
    /// It is wrong, and what was there is unset.
    case rejected(ResizeRejection)
  }

  private(set) var expand = ExpandProperties()
  /// The last valid ones; nil before any and after a rejection.
  var resize: ResizeProperties?
  private(set) var orientation = OrientationProperties()

  /// Takes over what the page set; `geometry` is what a resize has to fit into.
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
