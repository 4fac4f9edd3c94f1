internal import Core

/// A width and a height in density-independent pixels (dip).
package struct Size: Hashable, Sendable, Codable {
  package var width: Double
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// No area at all; what an ad that isn't laid out yet has.
  package static let zero = Size(width: 0, height: 0)

  /// The same size after a quarter turn.
  package var turned: Size { Size(width: height, height: width) }

  /// Square dip covered.
  package var area: Double { width * height }
}

extension Size: CustomStringConvertible {
  /// `320x50`, as the command line writes sizes.
  package var description: String { "\(width.plain)x\(height.plain)" }
}
