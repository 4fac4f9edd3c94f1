/// Neighbouring rows of an opaque image, compressed separately, so that images can be composed of them.
package struct CompressedRows: Equatable, Sendable {
  /// Number of pixels in a row.
  package let width: Int
  /// Number of rows.
  package let height: Int
  /// Complete blocks of a deflate stream, none of them the last, that don't refer to anything before them.
  fileprivate let blocks: [UInt8]
  /// Checksum of the filtered rows alone (Adler-32).
  fileprivate let checksum: UInt32

  /// Compresses all rows of a bitmap; their alpha counts as 255.
  /// - Throws: `tooLarge` beyond 100 megapixels, `outOfMemory`.
  package init(_ bitmap: Bitmap) throws(PNGError) {
    try PNGLimits.check(width: bitmap.width, height: bitmap.height)
    (width, height) = (bitmap.width, bitmap.height)
    guard width > 0, height > 0 else {
      (blocks, checksum) = ([], 1)
      return
    }
    let scanlines = Scanlines(bitmap, channels: 3)
    let bound = DeflateStream.bound(length: scanlines.length, rows: height)
    let space = UnsafeMutableRawBufferPointer.allocate(byteCount: bound, alignment: 16)
    defer { space.deallocate() }
    var stream = DeflateStream(space)
    try stream.append(scanlines)
    blocks = Array(space[..<stream.count])
    checksum = stream.checksum
  }

  /// Bytes of memory for the compressed rows.
  package var byteCount: Int { blocks.count }
}

extension PNGEncoder {
  /// Encodes an image of these rows, from top to bottom; all must have the same width.
  /// - Throws: `empty` without a pixel, `tooLarge` beyond 100 megapixels.
  package static func encode(_ parts: [CompressedRows]) throws(PNGError) -> [UInt8] {
    let parts = parts.filter { $0.height > 0 }
    guard let width = parts.first?.width, width > 0 else { throw .empty }
    precondition(parts.allSatisfy { $0.width == width }, "rows of one picture are as wide")
    let height = parts.reduce(0) { $0 + $1.height }
    try PNGLimits.check(width: width, height: height)
    let size = parts.reduce(ZlibFrame.size) { $0 + $1.blocks.count }
    return [UInt8](unsafeUninitializedCapacity: size + PNGChunkWriter.overhead) { output, count in
      var writer = PNGChunkWriter(output)
      writer.begin(width: width, height: height, channels: 3)
      writer.chunk("IDAT") { ZlibFrame.write(parts, to: $0) }
      writer.chunk("IEND") { _ in 0 }
      count = writer.count
    }
  }
}

/// Frame around the blocks of a zlib stream (RFC 1950).
enum ZlibFrame {
  /// Bytes of the frame and of an empty last block.
  static let size = header.count + lastBlock.count + 4
  /// Header for deflate with a window of 32 KiB, packed fast.
  private static let header: [UInt8] = [0x78, 0x01]
  /// Last block, without symbols.
  private static let lastBlock: [UInt8] = [0x03, 0x00]

  /// Returns the maximum number of bytes for a stream of this number of rows.
  static func bound(length: Int, rows: Int) -> Int { size + DeflateStream.bound(length: length, rows: rows) }

  /// Writes rows as one stream into memory of the size that `bound` returns; returns the number of bytes used.
  static func write(
    _ scanlines: borrowing Scanlines, to space: UnsafeMutableBufferPointer<UInt8>
  ) throws(PNGError) -> Int {
    var used = put(header, in: space, at: 0)
    var stream = DeflateStream(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(space)[used...]))
    try stream.finish(scanlines)
    used += stream.count
    return used + put(PNGChunkWriter.bigEndian(Int(stream.checksum)), in: space, at: used)
  }

  /// Writes rows that were compressed separately; returns the number of bytes used.
  fileprivate static func write(_ parts: [CompressedRows], to space: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var used = put(header, in: space, at: 0)
    var checksum: UInt32 = 1
    for part in parts {
      used += put(part.blocks, in: space, at: used)
      checksum = Adler32.joined(checksum, part.checksum, count: part.height * (1 + part.width * 3))
    }
    used += put(lastBlock, in: space, at: used)
    return used + put(PNGChunkWriter.bigEndian(Int(checksum)), in: space, at: used)
  }

  private static func put(_ bytes: [UInt8], in space: UnsafeMutableBufferPointer<UInt8>, at place: Int) -> Int {
    _ = space[place...].update(fromContentsOf: bytes)
    return bytes.count
  }
}
