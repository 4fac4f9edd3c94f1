internal import CSpng

/// Reads PNG files of every colour type, bit depth and interlacing.
package enum PNGDecoder {
  /// The picture as premultiplied 8-bit pixels; deeper channels lose their low bits.
  /// - Throws: `tooLarge` beyond 100 megapixels, `malformed` for anything broken or cut short, `outOfMemory`.
  package static func decode(_ bytes: [UInt8]) throws(PNGError) -> Bitmap {
    guard let context = spng_ctx_new(0) else { throw .outOfMemory }
    defer { spng_ctx_free(context) }
    // libspng keeps the pointer, so the bytes stay pinned for the whole decoding.
    let result = bytes.withUnsafeBytes { input -> Result<Bitmap, PNGError> in
      Result { () throws(PNGError) -> Bitmap in try decode(input, with: context) }
    }
    return try result.get()
  }

  /// Reads and decodes a file.
  /// - Throws: as `decode`, and `file` with the errno and path when it can't be read.
  package static func read(path: String) throws(PNGError) -> Bitmap {
    try decode(PNGFile.read(path))
  }

  /// Gives libspng its input, which must stay where it is, and returns the picture's size.
  static func begin(
    _ input: UnsafeRawBufferPointer, with context: OpaquePointer
  ) throws(PNGError) -> (width: Int, height: Int) {
    try check(spng_set_chunk_limits(context, PNGLimits.chunk, PNGLimits.chunk))
    try check(spng_set_png_buffer(context, input.baseAddress, input.count))
    var header = spng_ihdr()
    try check(spng_get_ihdr(context, &header))
    try PNGLimits.check(width: Int(header.width), height: Int(header.height))
    return (Int(header.width), Int(header.height))
  }

  private static func decode(_ input: UnsafeRawBufferPointer, with context: OpaquePointer) throws(PNGError) -> Bitmap {
    let (width, height) = try begin(input, with: context)
    var status: Int32 = 0
    let pixels = [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      let format = Int32(SPNG_FMT_RGBA8.rawValue)
      let flags = Int32(SPNG_DECODE_TRNS.rawValue)
      status = spng_decode_image(context, buffer.baseAddress, width * height * 4, format, flags)
      guard status == 0, let base = buffer.baseAddress else { return }
      count = width * height
      for index in 0..<count { base[index] = ScanlinePixels.premultiplied(UInt32(littleEndian: base[index])) }
    }
    try check(status)
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  /// Throws what a status of libspng means.
  static func check(_ status: Int32) throws(PNGError) {
    guard status != 0 else { return }
    let reason = String(cString: spng_strerror(status))
    switch status {
    case SPNG_EMEM.rawValue: throw .outOfMemory
    case SPNG_EOVERFLOW.rawValue: throw .tooLarge(reason)
    default: throw .malformed(reason)
    }
  }
}
