package import MRAID

/// Distances from the four edges in dip.
package struct Insets: Hashable, Sendable, Codable {
  package var top: Double
  package var left: Double
  package var bottom: Double
  package var right: Double

  package init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Edge to edge.
  package static let zero = Insets()
}

extension Rect {
  /// What is left inside the insets; never of negative size.
  package func inset(by insets: Insets) -> Rect {
    Rect(
      x: x + insets.left, y: y + insets.top, width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}
