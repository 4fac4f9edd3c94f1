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

/// The inner loops between a bitmap's pixels and a PNG's bytes; a wire pixel has red in its lowest byte.
enum ScanlinePixels {
  /// How many pixels repeat neither their left nor their upper neighbour.
  static func busyCount(_ row: UnsafePointer<UInt32>, above: UnsafePointer<UInt32>, count: Int) -> Int {
    var busy: UInt32 = 0
    for x in 1..<max(count, 1) {
      // Both sides are always computed: a branch here would be mispredicted at every other pixel.
      let isNewAcross: UInt32 = row[x] == row[x - 1] ? 0 : 1
      let isNewDown: UInt32 = row[x] == above[x] ? 0 : 1
      busy &+= isNewAcross & isNewDown
    }
    return Int(busy)
  }

  /// Turns premultiplied pixels into wire pixels with straight alpha; opaque ones get any value there.
  static func convert(
    _ row: UnsafePointer<UInt32>, to wire: UnsafeMutablePointer<UInt32>, count: Int, isOpaque: Bool
  ) {
    if isOpaque {
      for x in 0..<count { wire[x] = row[x].byteSwapped &>> 8 }
    } else {
      for x in 0..<count { wire[x] = straight(row[x]) }
    }
  }

  /// Replaces the pixels of `above` by the bytewise difference of `wire` and them.
  static func subtract(
    _ wire: UnsafePointer<UInt32>, from above: UnsafeMutablePointer<UInt32>, count: Int
  ) {
    let top: UInt32 = 0x8080_8080
    for x in 0..<count {
      // Four subtractions in one: the top bits are kept from borrowing and put right afterwards.
      let (a, b) = (wire[x], above[x])
      above[x] = ((a | top) &- (b & ~top)) ^ ((a ^ ~b) & top)
    }
  }

  /// Writes wire pixels as 3 or 4 bytes each; with 3, one byte beyond the last is overwritten.
  static func store(
    _ wire: UnsafePointer<UInt32>, to output: UnsafeMutableRawPointer, count: Int, channels: Int
  ) {
    for x in 0..<count {
      output.storeBytes(of: wire[x].littleEndian, toByteOffset: x &* channels, as: UInt32.self)
    }
  }

  /// Divides the colour channels by the alpha, to the nearest, and puts red lowest.
  @inline(__always)
  static func straight(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel &>> 24
    if alpha == 255 { return pixel.byteSwapped &>> 8 | 0xFF00_0000 }
    if alpha == 0 { return 0 }
    let half = alpha / 2
    let red = min(((pixel &>> 16 & 0xFF) &* 255 &+ half) / alpha, 255)
    let green = min(((pixel &>> 8 & 0xFF) &* 255 &+ half) / alpha, 255)
    let blue = min(((pixel & 0xFF) &* 255 &+ half) / alpha, 255)
    return red | green &<< 8 | blue &<< 16 | alpha &<< 24
  }

  /// Multiplies a straight wire pixel by its alpha and puts red highest but for the alpha.
  @inline(__always)
  static func premultiplied(_ wire: UInt32) -> UInt32 {
    let pixel = wire & 0xFF00_FF00 | (wire & 0xFF) &<< 16 | (wire &>> 16) & 0xFF
    let alpha = pixel &>> 24
    return alpha == 255 ? pixel : SourceOver.scale(pixel | 0xFF00_0000, by: alpha)
  }
}
