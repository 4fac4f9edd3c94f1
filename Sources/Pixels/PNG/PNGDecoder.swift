internal import CDeflate
internal import CSpng
internal import Glibc

/// Decoder of PNG files of every colour type, bit depth and interlacing.
package enum PNGDecoder {
  /// Decodes an image into premultiplied 8-bit pixels; deeper channels lose their low bits.
  /// - Throws: `tooLarge` beyond 100 megapixels, `malformed` for a broken or truncated file, `outOfMemory`.
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
  /// - Throws: as `decode`, and `file` with the errno and path if it can't be read.
  package static func read(path: String) throws(PNGError) -> Bitmap {
    try decode(PNGFile.read(path))
  }

  /// Passes libspng its input, which must stay in place, and returns the image's size.
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
    let orientation = try orientation(with: context)
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
    return turned(Bitmap(width: width, height: height, pixels: pixels), orientation)
  }

  /// Returns the orientation that is stated before the image's data; asked after the data, libspng reads to the end.
  private static func orientation(with context: OpaquePointer) throws(PNGError) -> PNGOrientation {
    var exif = spng_exif()
    let status = spng_get_exif(context, &exif)
    // Without the chunk.
    if status == SPNG_ECHUNKAVAIL.rawValue { return .upright }
    try check(status)
    return PNGOrientation(UnsafeRawBufferPointer(start: exif.data, count: exif.length))
  }

  /// Returns an image as it is shown.
  private static func turned(_ bitmap: Bitmap, _ orientation: PNGOrientation) -> Bitmap {
    guard orientation != .upright else { return bitmap }
    let size = orientation.shown(width: bitmap.width, height: bitmap.height)
    let pixels = [UInt32](unsafeUninitializedCapacity: bitmap.pixels.count) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      bitmap.pixels.withUnsafeBufferPointer { stored in
        guard let base = stored.baseAddress else { return }
        orientation.copy(base, to: target, width: bitmap.width, height: bitmap.height)
        count = stored.count
      }
    }
    return Bitmap(width: size.width, height: size.height, pixels: pixels)
  }

  /// Returns an image of four channels as it is shown.
  private static func turned(_ raster: Raster, _ orientation: PNGOrientation) -> Raster {
    guard orientation != .upright else { return raster }
    let (width, height) = (raster.width, raster.height)
    let size = orientation.shown(width: width, height: height)
    let stored = raster.bytes.withUnsafeBytes { bytes in
      (0..<(width * height)).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
    }
    let turned = turned(Bitmap(width: width, height: height, pixels: stored), orientation)
    let bytes = turned.pixels.withUnsafeBytes { Array($0) }
    return Raster(width: size.width, height: size.height, channels: 4, packed: bytes)
  }

  /// Throws the error that a status of libspng stands for.
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

extension PNGDecoder {
  /// Decodes an image with straight alpha, in the file's own layout if it has 8 bits per channel and isn't interlaced.
  /// - Throws: as `decode`.
  package static func raster(_ bytes: [UInt8]) throws(PNGError) -> Raster {
    let found = bytes.withUnsafeBytes { file in
      Result { () throws(PNGError) -> Raster? in
        guard let chunks = PNGChunks(file) else { return nil }
        try PNGLimits.check(width: chunks.width, height: chunks.height)
        guard chunks.isPlausible else { throw .malformed("its data is too short for its size") }
        return chunks.isPlain ? plainRaster(chunks, of: file) : nil
      }
    }
    // libspng reads every other layout, and has the last word on files that are broken.
    if let raster = try found.get() { return raster }
    return try anyRaster(bytes)
  }

  /// Reads and decodes a file.
  /// - Throws: as `read`.
  package static func raster(path: String) throws(PNGError) -> Raster {
    try raster(PNGFile.read(path))
  }

  /// Inflates the rows in one step and undoes their filters in place; nil on any error.
  private static func plainRaster(_ chunks: PNGChunks, of file: UnsafeRawBufferPointer) -> Raster? {
    let (width, height, channels) = (chunks.width, chunks.height, chunks.channels)
    let size = (1 + width * channels) * height
    var isRead = false
    let rows = [UInt8](unsafeUninitializedCapacity: size + Raster.slack) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      preferHugePages(buffer)
      isRead =
        inflate(chunks.data, of: file, into: base, count: size)
        && ScanlineFilter.undo(base, width: width, rows: height, channels: channels)
      memset(base + size, 0, Raster.slack)
      count = isRead ? size + Raster.slack : 0
    }
    return isRead ? Raster(width: width, height: height, channels: channels, lead: 1, bytes: rows) : nil
  }

  /// Fills exactly `count` bytes; false if the stream is broken or contains more or fewer.
  static func inflate(
    _ pieces: [Range<Int>], of file: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer, count: Int
  ) -> Bool {
    guard let decompressor = libdeflate_alloc_decompressor() else { return false }
    defer { libdeflate_free_decompressor(decompressor) }
    func run(_ input: UnsafeRawBufferPointer) -> Bool {
      libdeflate_zlib_decompress(decompressor, input.baseAddress, input.count, output, count, nil)
        == LIBDEFLATE_SUCCESS
    }
    guard let first = pieces.first else { return false }
    if pieces.count == 1 { return run(UnsafeRawBufferPointer(rebasing: file[first])) }
    var joined: [UInt8] = []
    joined.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { joined.append(contentsOf: file[piece]) }
    return joined.withUnsafeBytes(run)
  }

  /// Requests 2 MiB pages: the first access to the memory of a large image takes longer than inflating it.
  private static func preferHugePages(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    let page = 2 << 20
    guard buffer.count >= 2 * page, let base = buffer.baseAddress else { return }
    let start = (Int(bitPattern: base) + 4095) & ~4095
    let end = (Int(bitPattern: base) + buffer.count) & ~4095
    // Only a hint: where the system has none to give, everything is as it would have been.
    _ = madvise(UnsafeMutableRawPointer(bitPattern: start), end - start, MADV_HUGEPAGE)
  }

  /// Decodes a file of any layout, as RGBA.
  private static func anyRaster(_ bytes: [UInt8]) throws(PNGError) -> Raster {
    guard let context = spng_ctx_new(0) else { throw .outOfMemory }
    defer { spng_ctx_free(context) }
    let result = bytes.withUnsafeBytes { input in
      Result { () throws(PNGError) -> Raster in
        let size = try begin(input, with: context)
        let orientation = try orientation(with: context)
        var status: Int32 = 0
        let count = size.width * size.height * 4
        let pixels = [UInt8](unsafeUninitializedCapacity: count + Raster.slack) { buffer, used in
          let format = Int32(SPNG_FMT_RGBA8.rawValue)
          status = spng_decode_image(context, buffer.baseAddress, count, format, Int32(SPNG_DECODE_TRNS.rawValue))
          guard status == 0, let base = buffer.baseAddress else { return }
          memset(base + count, 0, Raster.slack)
          used = count + Raster.slack
        }
        try check(status)
        let raster = Raster(width: size.width, height: size.height, channels: 4, lead: 0, bytes: pixels)
        return turned(raster, orientation)
      }
    }
    return try result.get()
  }
}
