internal import CDeflate
internal import Glibc

/// Encoder of bitmaps as PNG files, designed for screenshots: speed first, size second.
package enum PNGEncoder {
  /// Encodes opaque bitmaps as 8-bit RGB, others as 8-bit RGBA with straight alpha.
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

  /// Encodes and writes a file, which appears complete or not at all.
  /// - Throws: as `encode`, and `file` with the errno and path if writing fails.
  package static func write(_ bitmap: Bitmap, to path: String) throws(PNGError) {
    try PNGFile.write(encode(bitmap), to: path)
  }
}

/// Writer of a PNG's signature and chunks (PNG specification, section 5) into memory that must be large enough.
struct PNGChunkWriter {
  /// Bytes besides the compressed image: signature, IHDR, IDAT's frame, IEND.
  static let overhead = 8 + 25 + 12 + 12
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private let output: UnsafeMutableBufferPointer<UInt8>
  /// Number of bytes written so far.
  private(set) var count = 0

  init(_ output: UnsafeMutableBufferPointer<UInt8>) {
    self.output = output
  }

  /// Writes the signature and the header of an 8-bit image: 3 channels are RGB, 4 RGBA.
  mutating func begin(width: Int, height: Int, channels: Int) {
    append(Self.signature)
    chunk("IHDR") { space in
      let header = Self.bigEndian(width) + Self.bigEndian(height) + [8, channels == 3 ? 2 : 6, 0, 0, 0]
      _ = space.update(fromContentsOf: header)
      return header.count
    }
  }

  /// Writes a chunk; `body` writes its contents into the given space and returns the number of bytes used.
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

  /// Returns a number as PNG stores it, in four bytes.
  static func bigEndian(_ value: Int) -> [UInt8] {
    let value = UInt32(value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
