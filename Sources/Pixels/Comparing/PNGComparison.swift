internal import Glibc

/// Comparison of PNG files that decodes no more of them than necessary.
package enum PNGComparison {
  /// Maximum bytes of two decoded images that are decoded as a whole, which is faster: two of 40 megapixels.
  package static let wholeLimit = 320 << 20

  /// Reads and compares two files.
  /// - Throws: as `PNGDecoder.decode`, and `file` with the errno and path if one can't be read.
  package static func compare(
    path first: String, path second: String, options: ComparisonOptions = ComparisonOptions()
  ) async throws(PNGError) -> ImageDifference {
    try await compare(PNGFile.read(first), PNGFile.read(second), options: options)
  }

  /// Compares two files' contents; both are decoded at the same time.
  ///
  /// Images larger than `wholeLimit` are decoded row by row, if their layout and the options allow it.
  /// - Throws: as `PNGDecoder.decode`, `tooLarge` also for a size that holds both.
  package static func compare(
    _ first: [UInt8], _ second: [UInt8], options: ComparisonOptions = ComparisonOptions(), wholeLimit: Int = wholeLimit
  ) async throws(PNGError) -> ImageDifference {
    if let size = commonSize(first, second) { return ImageDifference(size, size) }
    if try decodedSize(first, second) > wholeLimit,
      let difference = await StreamedComparison.compare(first, second, options: options)
    {
      return difference
    }
    async let one = decode(first)
    async let other = decode(second)
    let (p, q) = (try await one.get(), try await other.get())
    // A tall and a wide picture need a size that holds both.
    try PNGLimits.check(width: max(p.width, q.width), height: max(p.height, q.height))
    return await ImageComparison.compare(p, q, options: options)
  }

  /// Returns the bytes of both when decoded, 0 if that can't be determined; throws if a size that holds both is too
  /// large.
  private static func decodedSize(_ first: [UInt8], _ second: [UInt8]) throws(PNGError) -> Int {
    let found = [first, second].map { $0.withUnsafeBytes { PNGChunks($0) } }
    guard let one = found[0], let other = found[1] else { return 0 }
    for chunks in [one, other] { try PNGLimits.check(width: chunks.width, height: chunks.height) }
    guard one.isPlausible, other.isPlausible else { return 0 }
    let (p, q) = (one.shownSize, other.shownSize)
    try PNGLimits.check(width: max(p.width, q.width), height: max(p.height, q.height))
    return [one, other].reduce(0) { $0 + $1.width * $1.height * $1.channels }
  }

  private static func decode(_ bytes: [UInt8]) async -> Result<Raster, PNGError> {
    Result { () throws(PNGError) -> Raster in try PNGDecoder.raster(bytes) }
  }

  /// Returns the size of two intact files with the same image: all chunks that the image depends on are byte-equal.
  ///
  /// Nil if they differ or can't be judged without decoding.
  static func commonSize(_ first: [UInt8], _ second: [UInt8]) -> PixelSize? {
    first.withUnsafeBytes { p in
      second.withUnsafeBytes { q in
        guard let one = PNGChunks(p), let other = PNGChunks(q), one.parts.count == other.parts.count,
          one.isPlausible, one.width * one.height <= PNGLimits.pixels
        else { return nil }
        for (part, counterpart) in zip(one.parts, other.parts) {
          guard part.count == counterpart.count, isEqual(p[part], q[counterpart]) else { return nil }
        }
        return one.shownSize
      }
    }
  }

  private static func isEqual(_ p: Slice<UnsafeRawBufferPointer>, _ q: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let base = UnsafeRawBufferPointer(rebasing: p).baseAddress,
      let other = UnsafeRawBufferPointer(rebasing: q).baseAddress
    else { return p.isEmpty && q.isEmpty }
    return memcmp(base, other, p.count) == 0
  }
}

/// Comparison of two files row by row, whose memory doesn't grow with their height except for a few bits per pixel.
enum StreamedComparison {
  /// Compares two files; nil if they must be decoded as a whole: for another layout, for moves, or because one is
  /// broken.
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

  /// Compares the same bands as for whole images, so that sums are equal to the last digit; nil if a file is broken.
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

  /// Returns the rows needed for the band from `start` on, decoded from both files at the same time; nil if one is
  /// broken.
  private static func windows(_ p: RowSource, _ q: RowSource, at start: Int) async -> (RowWindow, RowWindow)? {
    // Two rows more are what anti-aliasing looks at.
    let end = start + ImageComparison.band + 2
    async let one = p.read(to: end)
    async let other = q.read(to: end)
    guard let first = await one, let second = await other else { return nil }
    return (first, second)
  }
}
