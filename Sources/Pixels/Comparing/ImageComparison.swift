/// Comparison of images; their order only matters for the direction of moves.
package enum ImageComparison {
  /// Number of rows compared at a time; fixed, so that sums don't depend on the number of processors.
  static let band = 256

  /// Compares two images on all processors; the same images and options always give the same result.
  ///
  /// Sizes may differ, but memory is needed for a mask of a size that holds both.
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

/// Rules by which pixels count as different; the defaults are pixelmatch 7.2.0's.
package struct ComparisonOptions: Hashable, Sendable {
  /// Measure of the distance of colours.
  package var metric: ColorMetric
  /// Share of the distance from black to white, 0 to 1, up to which two colours count as the same.
  package var threshold: Double
  /// Indicates if pixels that look like anti-aliasing count; if not, they are recorded separately.
  package var countsAntialiasing: Bool
  /// Regions excluded from the comparison.
  package var ignored: [PixelRect]
  /// Number of pixels, 0 to 16, by which a region may have moved in each direction without counting.
  package var shift: Int
  /// Side of the square window for the search of the densest place; nil for no search.
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
