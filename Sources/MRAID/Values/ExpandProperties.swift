package import Core

/// What `setExpandProperties` merges into; sizes that were never set read as full screen.
package struct ExpandProperties: Hashable, Sendable {
  /// Dip; nil reads as the content area's width.
  package var width: Double?
  /// Dip; nil reads as the content area's height.
  package var height: Double?
  /// Deprecated in MRAID 3: the host always draws its close control, but getters keep the wish.
  package var useCustomClose: Bool

  package init(width: Double? = nil, height: Double? = nil, useCustomClose: Bool = false) {
    self.width = width
    self.height = height
    self.useCustomClose = useCustomClose
  }

  /// Takes over members of the right type and leaves the rest alone; `isModal` is read-only.
  package mutating func merge(_ properties: JSONValue) {
    if let value = properties["width"]?.length { width = value }
    if let value = properties["height"]?.length { height = value }
    if let value = properties["useCustomClose"]?.bool { useCustomClose = value }
  }

  /// The size an expanded ad asks for on a content area this large.
  package func size(in maxSize: Size) -> Size {
    Size(width: width ?? maxSize.width, height: height ?? maxSize.height)
  }

  /// As the bridge keeps it: unset sizes are absent, its getter fills them in from maxSize.
  var json: JSONValue {
    var members: [String: JSONValue] = ["useCustomClose": .bool(useCustomClose)]
    if let width { members["width"] = .number(width) }
    if let height { members["height"] = .number(height) }
    return .object(members)
  }
}

extension JSONValue {
  /// A finite number above 0: what counts as a width or a height.
  var length: Double? {
    guard let number, number.isFinite, number > 0 else { return nil }
    return number
  }
}

/// What `setOrientationProperties` merges into.
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
  /// Takes over members of the right type and value and leaves the rest alone.
  package mutating func merge(_ properties: JSONValue) {
    if let value = properties["allowOrientationChange"]?.bool { allowOrientationChange = value }
    if let value = properties["forceOrientation"]?.string.flatMap(Force.init(rawValue:)) { forceOrientation = value }
  }

  /// As the bridge's getter returns it.
  var json: JSONValue {
    ["allowOrientationChange": .bool(allowOrientationChange), "forceOrientation": .string(forceOrientation.rawValue)]
  }
}
