/// Compares images; which of them is first matters only to the direction of moves.
package enum ImageComparison {
  /// Rows compared at a time; fixed, so that sums don't depend on how many processors there are.
  static let band = 256

  /// Compares two pictures on all processors; the same pictures and options always give the same answer.
  ///
  /// Sizes may differ, but memory is needed for a mask of one that holds both.
  package static func compare(
    _ first: Raster, _ second: Raster, options: ComparisonOptions = ComparisonOptions()
  ) async -> ImageDifference {
    let (first, second) = first.channels == second.channels ? (first, second) : (first.withAlpha, second.withAlpha)
    var difference = ImageDifference(
      PixelSize(width: first.width, height: first.height), PixelSize(width: second.width, height: second.height))
    let bands = await bands(first, second, options: options)
    let sum = difference.take(bands)
    difference.countOutside(ignoring: options.ignored, sum: sum)
    first.withPlane { p in
      second.withPlane { q in
        difference.findRegions(BandComparer(p, q, options: options))
      }
    }
    if let window = options.window { difference.densest = DensestWindow(of: difference.differing, side: window) }
    return difference
  }

  private static func bands(_ first: Raster, _ second: Raster, options: ComparisonOptions) async -> [Band] {
    let height = min(first.height, second.height)
    let starts = stride(from: 0, to: height, by: band)
    return await withTaskGroup(of: Band.self) { group in
      for start in starts {
        group.addTask {
          first.withPlane { p in
            second.withPlane { q in
              BandComparer(p, q, options: options).compare(rows: start..<min(start + band, height))
            }
          }
        }
      }
      var found: [Band] = []
      for await band in group { found.append(band) }
      return found.sorted { $0.rows.lowerBound < $1.rows.lowerBound }
    }
  }
}

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
