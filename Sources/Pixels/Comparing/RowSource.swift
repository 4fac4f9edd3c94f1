internal import CZlib
internal import Glibc

/// PNG file whose rows are decoded in order, a window at a time.
actor RowSource {
  /// Rows of the previous window that are still needed: two of context on either side of the compared rows.
  private static let kept = 4

  nonisolated let width: Int
  nonisolated let height: Int
  nonisolated let channels: Int
  private let inflater: Inflater
  private var window: RowWindow

  /// Opens a file; nil unless it is 8-bit RGB or RGBA, not interlaced, and plausible.
  init?(_ file: [UInt8]) {
    let found = file.withUnsafeBytes { PNGChunks($0) }
    guard let chunks = found, chunks.isPlain, chunks.isPlausible, let inflater = Inflater(file, pieces: chunks.data)
    else { return nil }
    (width, height, channels) = (chunks.width, chunks.height, chunks.channels)
    self.inflater = inflater
    window = RowWindow(width: width, height: height, channels: channels, rows: 0..<0, bytes: [])
  }

  /// Decodes up to row `end` or the last one and returns the window; nil if the file is broken.
  func read(to end: Int) -> RowWindow? {
    let before = window
    let end = min(end, height)
    guard end > before.rows.upperBound else { return before }
    let kept = min(Self.kept, before.rows.count)
    let rows = (before.rows.upperBound - kept)..<end
    let (stride, fresh) = (before.stride, rows.count - kept)
    var isRead = false
    let bytes = [UInt8](unsafeUninitializedCapacity: rows.count * stride + Raster.slack) { buffer, count in
      guard let base = UnsafeMutableRawBufferPointer(buffer).baseAddress else { return }
      copy(kept, of: before, to: base)
      isRead = inflater.read(UnsafeMutableRawBufferPointer(start: base + kept * stride, count: fresh * stride))
      memset(base + rows.count * stride, 0, Raster.slack)
      guard isRead else { return }
      // The row above goes along, as one without a filter.
      let above = min(kept, 1)
      if above == 1 { base.storeBytes(of: 0, toByteOffset: (kept - 1) * stride, as: UInt8.self) }
      isRead = ScanlineFilter.undo(
        base + (kept - above) * stride, width: width, rows: fresh + above, channels: channels)
      count = rows.count * stride + Raster.slack
    }
    guard isRead else { return nil }
    window = RowWindow(width: width, height: height, channels: channels, rows: rows, bytes: bytes)
    return window
  }

  /// Indicates if all rows were read and the stream ends after the last, as it must.
  func isWhole() -> Bool { window.rows.upperBound == height && inflater.isAtEnd() }

  private func copy(_ rows: Int, of window: RowWindow, to base: UnsafeMutableRawPointer) {
    guard rows > 0 else { return }
    let count = rows * window.stride
    window.bytes.withUnsafeBytes { bytes in
      let end = window.rows.count * window.stride
      UnsafeMutableRawBufferPointer(start: base, count: count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(end - count)..<end]))
    }
  }
}

/// Rows of an image that isn't in memory as a whole, laid out as in a raster.
struct RowWindow: Sendable {
  /// Size and layout of the image.
  let width: Int
  let height: Int
  let channels: Int
  /// Range of the rows in this window.
  let rows: Range<Int>
  /// Rows, each after its filter byte, followed by a raster's slack.
  let bytes: [UInt8]

  var stride: Int { 1 + width * channels }

  /// Passes `body` a plane of the image, of which only the rows in this window may be read.
  func withPlane<T>(_ body: (RasterPlane) -> T) -> T {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("rows have bytes") }
      let first = base + (1 - rows.lowerBound * stride)
      return body(RasterPlane(base: first, stride: stride, channels: channels, width: width, height: height))
    }
  }
}

/// Decompressor of a zlib stream in steps: slower than all at once, but finished parts needn't be kept.
final class Inflater {
  /// State of zlib, which stores its address, so it has memory of its own.
  private let stream: UnsafeMutablePointer<z_stream>
  private let file: [UInt8]
  private var pieces: ArraySlice<Range<Int>>
  private var hasEnded = false

  /// Prepares the stream; nil if there isn't enough memory. The `pieces` of the file are joined in this order.
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

  /// Fills the whole of `output`; false if the stream is broken or ends before.
  func read(_ output: UnsafeMutableRawBufferPointer) -> Bool {
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(output.count)
    while stream.pointee.avail_out > 0, !hasEnded {
      guard step() else { return false }
    }
    return stream.pointee.avail_out == 0
  }

  /// Indicates if the stream ends here, with the correct checksum.
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

  /// Continues with the current piece; false if the stream is broken or has no more pieces.
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
