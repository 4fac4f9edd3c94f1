internal import Glibc

/// A PNG file whose rows are decoded in order, a window at a time.
actor RowSource {
  /// Rows of the window before that are still needed: two of context on either side of what is compared.
  private static let kept = 4

  nonisolated let width: Int
  nonisolated let height: Int
  nonisolated let channels: Int
  private let inflater: Inflater
  private var window: RowWindow

  /// Nil unless the file is 8-bit RGB or RGBA, not interlaced, and plausible.
  init?(_ file: [UInt8]) {
    let found = file.withUnsafeBytes { PNGChunks($0) }
    guard let chunks = found, chunks.isPlain, chunks.isPlausible, let inflater = Inflater(file, pieces: chunks.data)
    else { return nil }
    (width, height, channels) = (chunks.width, chunks.height, chunks.channels)
    self.inflater = inflater
    window = RowWindow(width: width, height: height, channels: channels, rows: 0..<0, bytes: [])
  }

  /// Decodes on until row `end` or the last; nil when the file is broken.
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

  /// Whether what follows the last row is the end, as it has to be.
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
