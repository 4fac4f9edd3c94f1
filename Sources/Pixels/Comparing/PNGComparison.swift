internal import Glibc

/// Compares PNG files, decoding no more of them than is needed to know.
package enum PNGComparison {
  /// Reads and compares two files.
  /// - Throws: as `PNGDecoder.decode`, and `file` with the errno and path when one can't be read.
  package static func compare(
    path first: String, path second: String, options: ComparisonOptions = ComparisonOptions()
  ) async throws(PNGError) -> ImageDifference {
    try await compare(PNGFile.read(first), PNGFile.read(second), options: options)
  }

  /// Compares two files' contents; both are decoded at once.
  /// - Throws: as `PNGDecoder.decode`, `tooLarge` also for a size that holds both.
  package static func compare(
    _ first: [UInt8], _ second: [UInt8], options: ComparisonOptions = ComparisonOptions()
  ) async throws(PNGError) -> ImageDifference {
    if let size = commonSize(first, second) { return ImageDifference(size, size) }
    async let one = decode(first)
    async let other = decode(second)
    let (p, q) = (try await one.get(), try await other.get())
    // A tall and a wide picture need a size that holds both.
    try PNGLimits.check(width: max(p.width, q.width), height: max(p.height, q.height))
    return await ImageComparison.compare(p, q, options: options)
  }

  private static func decode(_ bytes: [UInt8]) async -> Result<Raster, PNGError> {
    Result { () throws(PNGError) -> Raster in try PNGDecoder.raster(bytes) }
  }

  /// The size of two files that must show the same: whole files whose parts that make the picture are byte-equal.
  static func commonSize(_ first: [UInt8], _ second: [UInt8]) -> PixelSize? {
    first.withUnsafeBytes { p in
      second.withUnsafeBytes { q in
        guard let one = PNGChunks(p), let other = PNGChunks(q), one.parts.count == other.parts.count,
          one.isPlausible, one.width * one.height <= PNGLimits.pixels
        else { return nil }
        for (part, counterpart) in zip(one.parts, other.parts) {
          guard part.count == counterpart.count, isEqual(p[part], q[counterpart]) else { return nil }
        }
        return PixelSize(width: one.width, height: one.height)
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
