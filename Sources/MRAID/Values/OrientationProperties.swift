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
