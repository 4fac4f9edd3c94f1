internal import CZlib

/// A zlib stream that is read bit by bit: slower than all at once, but what was read needn't be kept.
final class Inflater {
  /// zlib keeps the address, so it has one of its own.
  private let stream: UnsafeMutablePointer<z_stream>
  private let file: [UInt8]
  private var pieces: ArraySlice<Range<Int>>
  private var hasEnded = false

  /// Nil when there is no memory for it; `pieces` of the file follow one another.
  init?(_ file: [UInt8], pieces: [Range<Int>]) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    (self.file, self.pieces) = (file, pieces[...])
    guard inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Fills the whole of `output`; false when the stream is broken or ends before.
  func read(_ output: UnsafeMutableRawBufferPointer) -> Bool {
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(output.count)
    while stream.pointee.avail_out > 0, !hasEnded {
      guard step() else { return false }
    }
    return stream.pointee.avail_out == 0
  }

  /// Whether the stream ends here, with the sum it should have.
  func isAtEnd() -> Bool {
    var spare: UInt8 = 0
    return withUnsafeMutablePointer(to: &spare) { spare in
      stream.pointee.next_out = spare
      stream.pointee.avail_out = 1
      while !hasEnded {
        guard step(), stream.pointee.avail_out == 1 else { return false }
      }
      return true
    }
  }

  /// Reads on in the present piece; false when nothing comes of it.
  private func step() -> Bool {
    guard let piece = pieces.first else { return false }
    let status = file.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.next_in = start.map { UnsafeMutablePointer(mutating: $0 + piece.lowerBound) }
      stream.pointee.avail_in = UInt32(piece.count)
      return inflate(stream, Z_NO_FLUSH)
    }
    let rest = piece.upperBound - Int(stream.pointee.avail_in)
    pieces = rest < piece.upperBound ? [rest..<piece.upperBound] + pieces.dropFirst() : pieces.dropFirst()
    hasEnded = status == Z_STREAM_END
    // A piece that ends in the middle is no error, nor is output that is full.
    return status == Z_OK || hasEnded || status == Z_BUF_ERROR && !pieces.isEmpty
  }
}
