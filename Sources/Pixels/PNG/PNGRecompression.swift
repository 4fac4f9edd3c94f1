internal import CDeflate

/// Compresses a PNG's image again, more strongly: the same pixels with the same filters in fewer bytes.
package enum PNGRecompression {
  /// Level of libdeflate: the slowest except the exhaustive ones, which take ten times as long and save one percent
  /// more.
  private static let level: Int32 = 9

  /// Returns the file with nothing but its image; nil unless it is complete 8-bit RGB or RGBA and not interlaced.
  package static func recompress(_ file: [UInt8]) -> [UInt8]? {
    file.withUnsafeBytes { bytes in
      guard let chunks = PNGChunks(bytes), chunks.isPlain, chunks.isPlausible,
        chunks.width * chunks.height <= PNGLimits.pixels
      else { return nil }
      let size = (1 + chunks.width * chunks.channels) * chunks.height
      var isRead = false
      let rows = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        if let base = buffer.baseAddress {
          isRead = PNGDecoder.inflate(chunks.data, of: bytes, into: base, count: size)
        }
        count = isRead ? size : 0
      }
      return isRead ? compress(rows, chunks) : nil
    }
  }

  private static func compress(_ rows: [UInt8], _ chunks: PNGChunks) -> [UInt8]? {
    guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_zlib_compress_bound(compressor, rows.count)
    return [UInt8](unsafeUninitializedCapacity: bound + PNGChunkWriter.overhead) { output, count in
      var writer = PNGChunkWriter(output)
      writer.begin(width: chunks.width, height: chunks.height, channels: chunks.channels)
      writer.chunk("IDAT") { space in
        rows.withUnsafeBytes {
          libdeflate_zlib_compress(compressor, $0.baseAddress, $0.count, space.baseAddress, space.count)
        }
      }
      writer.chunk("IEND") { _ in 0 }
      count = writer.count
    }
  }
}

/// Estimate of a file's size on its way to a browser.
package enum GzipSize {
  /// Returns the approximate size of `gzip -6` output in bytes, by libdeflate's sixth level; nil if there isn't enough
  /// memory.
  ///
  /// The two differ by some percent.
  package static func estimate(of bytes: [UInt8]) -> Int? {
    guard let compressor = libdeflate_alloc_compressor(6) else { return nil }
    defer { libdeflate_free_compressor(compressor) }
    let room = libdeflate_gzip_compress_bound(compressor, bytes.count)
    var size = 0
    _ = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      size = libdeflate_gzip_compress(compressor, bytes, bytes.count, buffer.baseAddress, room)
      count = 0
    }
    return size > 0 ? size : nil
  }
}
