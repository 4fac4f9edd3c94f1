internal import CDeflate

/// Turns bitmaps into PNG files, made for screens: quick first, small second.
package enum PNGEncoder {
  /// Opaque bitmaps become 8-bit RGB, others 8-bit RGBA with straight alpha.
  /// - Throws: `empty`, `tooLarge` beyond 100 megapixels, `outOfMemory`.
  package static func encode(_ bitmap: Bitmap) throws(PNGError) -> [UInt8] {
    guard bitmap.width > 0, bitmap.height > 0 else { throw .empty }
    try PNGLimits.check(width: bitmap.width, height: bitmap.height)
    let scanlines = Scanlines(bitmap, channels: bitmap.isOpaque ? 3 : 4)
    guard let compressor = libdeflate_alloc_compressor(level(for: scanlines)) else { throw .outOfMemory }
    defer { libdeflate_free_compressor(compressor) }

    let bound = libdeflate_zlib_compress_bound(compressor, scanlines.count)
    return [UInt8](unsafeUninitializedCapacity: bound + PNGChunkWriter.overhead) { output, count in
      var writer = PNGChunkWriter(output)
      writer.begin(width: bitmap.width, height: bitmap.height, channels: scanlines.channels)
      writer.chunk("IDAT") { space in
        libdeflate_zlib_compress(compressor, scanlines.bytes, scanlines.count, space.baseAddress, space.count)
      }
      writer.chunk("IEND") { _ in 0 }
      count = writer.count
    }
  }

  /// Encodes and writes a file that appears whole or not at all.
  /// - Throws: as `encode`, and `file` with the errno and path when the disk says no.
  package static func write(_ bitmap: Bitmap, to path: String) throws(PNGError) {
    try PNGFile.write(encode(bitmap), to: path)
  }

  /// Level 2 for flat screens, whose long runs slow level 1 down; level 1 where noise would slow level 2 down.
  private static func level(for scanlines: borrowing Scanlines) -> Int32 {
    scanlines.busyShare > 0.14 ? 1 : 2
  }
}
