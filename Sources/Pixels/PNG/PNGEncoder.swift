internal import CDeflate
internal import Glibc

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

/// Lays out a PNG's signature and chunks (PNG specification, section 5) in memory that must be large enough.
struct PNGChunkWriter {
  /// Bytes of everything but the compressed picture: signature, IHDR, IDAT's frame, IEND.
  static let overhead = 8 + 25 + 12 + 12
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private let output: UnsafeMutableBufferPointer<UInt8>
  /// Bytes written so far.
  private(set) var count = 0

  init(_ output: UnsafeMutableBufferPointer<UInt8>) {
    self.output = output
  }

  /// Writes the signature and the header of an 8-bit picture: 3 channels are RGB, 4 RGBA.
  mutating func begin(width: Int, height: Int, channels: Int) {
    append(Self.signature)
    chunk("IHDR") { space in
      let header = Self.bigEndian(width) + Self.bigEndian(height) + [8, channels == 3 ? 2 : 6, 0, 0, 0]
      _ = space.update(fromContentsOf: header)
      return header.count
    }
  }

  /// Writes a chunk whose contents `body` puts into the space it's given, returning how many bytes it used.
  mutating func chunk(_ type: StaticString, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    let start = count
    append([0, 0, 0, 0])
    append(Array(UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount)))
    let length = body(UnsafeMutableBufferPointer(rebasing: output[count..<(output.count - 4)]))
    count += length
    _ = output[start...].update(fromContentsOf: Self.bigEndian(length))
    let checked = UnsafeBufferPointer(rebasing: output[(start + 4)..<count])
    append(Self.bigEndian(Int(libdeflate_crc32(0, checked.baseAddress, checked.count))))
  }

  private mutating func append(_ bytes: [UInt8]) {
    _ = output[count...].update(fromContentsOf: bytes)
    count += bytes.count
  }

  /// A number as PNG stores it, in four bytes.
  private static func bigEndian(_ value: Int) -> [UInt8] {
    let value = UInt32(value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
