internal import Glibc

/// A bitmap's rows as PNG compresses them: a filter byte, then the channels, filtered (PNG specification, section 9).
struct Scanlines: ~Copyable {
  /// 3 for RGB, 4 for RGBA with straight alpha.
  let channels: Int
  /// The share of pixels, 0 to 1, that repeat neither their left nor their upper neighbour.
  let busyShare: Double
  /// Bytes of all rows.
  let count: Int
  private let memory: UnsafeMutableRawPointer

  /// The filter of a row: the bytes as they are, or less those of the row above.
  enum Filter: UInt8 {
    case none = 0
    case up = 2
  }

  /// Rows that repeat the one above become zeros, busy ones differences, flat ones stay as they are.
  init(_ bitmap: Bitmap, channels: Int) {
    bitmap.requireIntact()
    let (width, height) = (bitmap.width, bitmap.height)
    let length = 1 + width * channels
    // A pixel is stored four bytes at a time, so the last of three reaches a byte further.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: length * height + 1, alignment: 16)
    let scratch = UnsafeMutablePointer<UInt32>.allocate(capacity: width * 2)
    defer { scratch.deallocate() }
    var (current, above) = (scratch, scratch + width)
    var busyPixels = 0

    bitmap.pixels.withUnsafeBufferPointer { buffer in
      guard let pixels = buffer.baseAddress else { return }
      for y in 0..<height {
        let row = pixels + y * width
        let output = memory + y * length
        if y > 0, memcmp(row, row - width, width * 4) == 0 {
          Self.storeRepeat(output, length: length)
          continue
        }
        let busy = y > 0 ? ScanlinePixels.busyCount(row, above: row - width, count: width) : 0
        busyPixels += busy
        ScanlinePixels.convert(row, to: current, count: width, isOpaque: channels == 3)
        let filter: Filter = busy * 4 > width ? .up : .none
        output.storeBytes(of: filter.rawValue, as: UInt8.self)
        if filter == .up { ScanlinePixels.subtract(current, from: above, count: width) }
        ScanlinePixels.store(filter == .up ? above : current, to: output + 1, count: width, channels: channels)
        swap(&current, &above)
      }
    }
    self.channels = channels
    self.memory = memory
    count = length * height
    busyShare = Double(busyPixels) / Double(max(width * height, 1))
  }

  deinit { memory.deallocate() }

  /// The rows' bytes, valid as long as the value lives.
  var bytes: UnsafeRawPointer { UnsafeRawPointer(memory) }

  /// A row equal to the one above it.
  private static func storeRepeat(_ output: UnsafeMutableRawPointer, length: Int) {
    memset(output, 0, length)
    output.storeBytes(of: Filter.up.rawValue, as: UInt8.self)
  }
}
