internal import CDeflate
internal import Glibc

/// Turns bitmaps into PNG files, made for screens: quick first, small second.
package enum PNGEncoder {
  /// Opaque bitmaps become 8-bit RGB, others 8-bit RGBA with straight alpha.
  /// - Throws: `empty`, `tooLarge` beyond 100 megapixels, `outOfMemory`.
  package static func encode(_ bitmap: Bitmap) throws(PNGError) -> [UInt8] {
    guard bitmap.width > 0, bitmap.height > 0 else { throw .empty }
    try PNGLimits.check(width: bitmap.width, height: bitmap.height)
    return try encode(Scanlines(bitmap, channels: bitmap.isOpaque ? 3 : 4), width: bitmap.width, height: bitmap.height)
  }

  private static func encode(_ scanlines: borrowing Scanlines, width: Int, height: Int) throws(PNGError) -> [UInt8] {
    let bound = ZlibFrame.bound(length: scanlines.length, rows: height)
    var failure: PNGError?
    let file = [UInt8](unsafeUninitializedCapacity: bound + PNGChunkWriter.overhead) { output, count in
      var writer = PNGChunkWriter(output)
      writer.begin(width: width, height: height, channels: scanlines.channels)
      do throws(PNGError) {
        try writer.chunk("IDAT") { space throws(PNGError) in try ZlibFrame.write(scanlines, to: space) }
      } catch {
        failure = error
      }
      writer.chunk("IEND") { _ in 0 }
      count = writer.count
    }
    if let failure { throw failure }
    return file
  }

  /// Encodes and writes a file that appears whole or not at all.
  /// - Throws: as `encode`, and `file` with the errno and path when the disk says no.
  package static func write(_ bitmap: Bitmap, to path: String) throws(PNGError) {
    try PNGFile.write(encode(bitmap), to: path)
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
  mutating func chunk<Failure>(
    _ type: StaticString, _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Int
  ) throws(Failure) {
    let start = count
    append([0, 0, 0, 0])
    append(Array(UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount)))
    let length = try body(UnsafeMutableBufferPointer(rebasing: output[count..<(output.count - 4)]))
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
  static func bigEndian(_ value: Int) -> [UInt8] {
    let value = UInt32(value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
