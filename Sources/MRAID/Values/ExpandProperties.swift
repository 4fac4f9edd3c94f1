package import Core

/// Properties merged by `setExpandProperties`; sizes that were never set read as full screen.
package struct ExpandProperties: Hashable, Sendable {
  /// Width in dip; nil reads as the content area's width.
  package var width: Double?
  /// Height in dip; nil reads as the content area's height.
  package var height: Double?
  /// Choice of the ad's own close control, deprecated in MRAID 3: the host always draws its own, but getters keep this
  /// value.
  package var useCustomClose: Bool

  package init(width: Double? = nil, height: Double? = nil, useCustomClose: Bool = false) {
    self.width = width
    self.height = height
    self.useCustomClose = useCustomClose
  }

  /// Applies members of the right type and leaves the rest unchanged; `isModal` is read-only.
  package mutating func merge(_ properties: JSONValue) {
    if let value = properties["width"]?.length { width = value }
    if let value = properties["height"]?.length { height = value }
    if let value = properties["useCustomClose"]?.bool { useCustomClose = value }
  }

  /// Returns the size that an expanded ad requests on a content area this large.
  package func size(in maxSize: Size) -> Size {
    Size(width: width ?? maxSize.width, height: height ?? maxSize.height)
  }

  /// Properties as the bridge stores them: sizes that aren't set are absent, and its getter takes them from maxSize.
  var json: JSONValue {
    var members: [String: JSONValue] = ["useCustomClose": .bool(useCustomClose)]
    if let width { members["width"] = .number(width) }
    if let height { members["height"] = .number(height) }
    return .object(members)
  }
}

extension JSONValue {
  /// Number if it is finite and above 0, as required of a width or a height; nil otherwise.
  var length: Double? {
    guard let number, number.isFinite, number > 0 else { return nil }
    return number
  }
}

/// Properties merged by `setOrientationProperties`.
package struct OrientationProperties: Hashable, Sendable, Codable {
  package enum Force: String, Sendable, Codable, CaseIterable {
    case portrait, landscape, none
  }
  package var allowOrientationChange: Bool
  package var forceOrientation: Force

  package init(allowOrientationChange: Bool = true, forceOrientation: Force = .none) {
    self.allowOrientationChange = allowOrientationChange
    self.forceOrientation = forceOrientation
  }
}

extension OrientationProperties {
  /// Applies members of the right type and value and leaves the rest unchanged.
  package mutating func merge(_ properties: JSONValue) {
    if let value = properties["allowOrientationChange"]?.bool { allowOrientationChange = value }
    if let value = properties["forceOrientation"]?.string.flatMap(Force.init(rawValue:)) { forceOrientation = value }
  }

  /// Properties as the bridge's getter returns them.
  var json: JSONValue {
    ["allowOrientationChange": .bool(allowOrientationChange), "forceOrientation": .string(forceOrientation.rawValue)]
  }
}
