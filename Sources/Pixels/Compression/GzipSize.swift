internal import CDeflate

/// How small a file gets on its way to a browser.
package enum GzipSize {
  /// Bytes of what `gzip -6` would about make of these; libdeflate's sixth level, which is within some percent of it.
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
