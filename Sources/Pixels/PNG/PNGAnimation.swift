/// Encoder of bitmaps as an animated PNG (PNG specification, third edition, 4.9), of which readers without support for
/// animation show the first.
package enum PNGAnimation {
  /// Encodes opaque frames of one size as an endless loop, each shown for `delay` milliseconds.
  /// - Throws: `empty` without frames or pixels, `tooLarge` beyond 100 megapixels in all, `outOfMemory`.
  package static func encode(_ frames: [Bitmap], delay: UInt16) throws(PNGError) -> [UInt8] {
    guard let first = frames.first, first.width > 0, first.height > 0 else { throw .empty }
    precondition(frames.allSatisfy { $0.width == first.width && $0.height == first.height }, "frames of one size")
    try PNGLimits.check(width: first.width, height: first.height * frames.count)
    let frameBound = ZlibFrame.bound(length: 1 + first.width * 3, rows: first.height) + frameOverhead
    let bound = frameBound * frames.count + PNGChunkWriter.overhead + 20
    var failure: PNGError?
    let file = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      var writer = PNGChunkWriter(output)
      writer.begin(width: first.width, height: first.height, channels: 3)
      writer.chunk("acTL") { put(big(frames.count) + big(0), in: $0) }
      for (index, frame) in frames.enumerated() {
        do throws(PNGError) {
          try append(frame, index: index, delay: delay, to: &writer)
        } catch {
          failure = error
        }
      }
      writer.chunk("IEND") { _ in 0 }
      count = writer.count
    }
    if let failure { throw failure }
    return file
  }

  /// Bytes of a frame besides its compressed rows: its control chunk, and the frame and number of its data chunk.
  private static let frameOverhead = 12 + 26 + 12 + 4

  private static func append(
    _ frame: Bitmap, index: Int, delay: UInt16, to writer: inout PNGChunkWriter
  ) throws(PNGError) {
    let scanlines = Scanlines(frame, channels: 3)
    // Control and data chunks are numbered together; the first frame's data has no number.
    let sequence = index == 0 ? 0 : index * 2 - 1
    writer.chunk("fcTL") { space in
      let place = big(sequence) + big(frame.width) + big(frame.height) + big(0) + big(0)
      let duration = big(Int(delay)).suffix(2) + big(1000).suffix(2)
      return put(place + duration + [0, 0], in: space)
    }
    try writer.chunk(index == 0 ? "IDAT" : "fdAT") { space throws(PNGError) in
      let used = index == 0 ? 0 : put(big(sequence + 1), in: space)
      return used + (try ZlibFrame.write(scanlines, to: UnsafeMutableBufferPointer(rebasing: space[used...])))
    }
  }

  private static func put(_ bytes: [UInt8], in space: UnsafeMutableBufferPointer<UInt8>) -> Int {
    _ = space.update(fromContentsOf: bytes)
    return bytes.count
  }

  private static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}

extension PNGAnimation {
  /// Encodes and writes a file, which appears complete or not at all.
  /// - Throws: as `encode`, and `file` with the errno and path if writing fails.
  package static func write(_ frames: [Bitmap], delay: UInt16, to path: String) throws(PNGError) {
    try PNGFile.write(encode(frames, delay: delay), to: path)
  }
}
