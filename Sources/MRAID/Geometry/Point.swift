/// A place in density-independent pixels (dip), x to the right and y down.
package struct Point: Hashable, Sendable, Codable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The top-left corner.
  package static let zero = Point(x: 0, y: 0)
}
