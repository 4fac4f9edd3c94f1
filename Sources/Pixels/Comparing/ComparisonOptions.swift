/// What counts as a difference; the defaults are pixelmatch 7.2.0's.
package struct ComparisonOptions: Hashable, Sendable {
  /// How colours are told apart.
  package var metric: ColorMetric
  /// 0 to 1: the share of the distance from black to white up to which two colours are the same.
  package var threshold: Double
  /// Whether pixels that look like anti-aliasing count too; without it they are told apart and not counted.
  package var countsAntialiasing: Bool
  /// Regions in which nothing counts.
  package var ignored: [PixelRect]
  /// Pixels a region may have moved, in each direction, without counting; 0 to 16.
  package var shift: Int
  /// The side of the square window whose densest place is looked for; nil doesn't look.
  package var window: Int?

  package init(
    metric: ColorMetric = .yiq, threshold: Double = 0.1, countsAntialiasing: Bool = false, ignored: [PixelRect] = [],
    shift: Int = 0, window: Int? = nil
  ) {
    self.metric = metric
    self.threshold = threshold
    self.countsAntialiasing = countsAntialiasing
    self.ignored = ignored
    self.shift = shift
    self.window = window
  }
}
