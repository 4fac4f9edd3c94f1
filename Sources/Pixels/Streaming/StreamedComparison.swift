/// Compares two files row by row: what is in memory doesn't grow with their height, but for a few bits a pixel.
enum StreamedComparison {
  /// Nil when the files have to be decoded whole: for another layout, for moves, or because one is broken.
  static func compare(
    _ first: [UInt8], _ second: [UInt8], options: ComparisonOptions
  ) async -> ImageDifference? {
    guard options.shift == 0, let p = RowSource(first), let q = RowSource(second), p.channels == q.channels else {
      return nil
    }
    var difference = ImageDifference(
      PixelSize(width: p.width, height: p.height), PixelSize(width: q.width, height: q.height))
    guard let bands = await bands(p, q, options: options) else { return nil }
    let sum = difference.take(bands)
    difference.countOutside(ignoring: options.ignored, sum: sum)
    difference.findRegions()
    if let window = options.window { difference.densest = DensestWindow(of: difference.differing, side: window) }
    return difference
  }

  /// The same bands as of whole pictures, so that sums are equal to the last digit.
  private static func bands(_ p: RowSource, _ q: RowSource, options: ComparisonOptions) async -> [Band]? {
    var bands: [Band] = []
    let common = min(p.height, q.height)
    var windows = await windows(p, q, at: 0)
    for start in stride(from: 0, to: max(p.height, q.height), by: ImageComparison.band) {
      guard let (first, second) = windows else { return nil }
      // The next rows are decoded while these are compared.
      async let ahead = self.windows(p, q, at: start + ImageComparison.band)
      if start < common {
        let rows = start..<min(start + ImageComparison.band, common)
        let band = first.withPlane { p in
          second.withPlane { q in BandComparer(p, q, options: options).compare(rows: rows) }
        }
        bands.append(band)
      }
      windows = await ahead
    }
    let areWhole = (await p.isWhole(), await q.isWhole())
    return areWhole.0 && areWhole.1 ? bands : nil
  }

  /// The rows that the band from `start` on looks at, decoded on both sides at once.
  private static func windows(_ p: RowSource, _ q: RowSource, at start: Int) async -> (RowWindow, RowWindow)? {
    // Two rows more are what anti-aliasing looks at.
    let end = start + ImageComparison.band + 2
    async let one = p.read(to: end)
    async let other = q.read(to: end)
    guard let first = await one, let second = await other else { return nil }
    return (first, second)
  }
}
