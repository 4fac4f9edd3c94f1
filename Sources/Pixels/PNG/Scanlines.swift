internal import Glibc

/// Rows of a bitmap as PNG compresses them: a filter byte, then the channels, filtered (PNG specification, section 9).
struct Scanlines: ~Copyable {
  /// Number of channels: 3 for RGB, 4 for RGBA with straight alpha.
  let channels: Int
  /// Bytes of a row with its filter.
  let length: Int
  /// All rows from top to bottom.
  private(set) var pieces: [Piece] = []
  /// Bytes of all rows except those in long repeats.
  private(set) var count = 0
  private let memory: UnsafeMutableRawPointer

  /// Filter of a row: the bytes unchanged, or minus those of the row above.
  enum Filter: UInt8 {
    case none = 0
    case up = 2
  }

  /// Neighbouring rows that are compressed in the same way.
  enum Piece: Equatable {
    /// Rows in this range of the bytes; with the share of their pixels, 0 to 1, that repeat neither neighbour.
    case rows(Range<Int>, busyShare: Double)
    /// Number of rows equal to the one above, which aren't stored: the up filter and zeros each.
    case repeats(Int)
  }

  /// Minimum bytes of a long repeat; fewer cost less among their neighbours than the codes of a block of their own.
  static let longRepeat = 32 << 10
  /// Minimum bytes of a row in a long repeat; libdeflate's references to the row above are shorter for fewer.
  private static let longRow = 512

  /// Filters the rows: repeats of the row above become zeros, busy rows differences, flat rows stay unchanged.
  init(_ bitmap: Bitmap, channels: Int) {
    bitmap.requireIntact()
    let (width, height) = (bitmap.width, bitmap.height)
    self.channels = channels
    length = 1 + width * channels
    // A pixel is stored four bytes at a time, so the last of three reaches a byte further.
    memory = UnsafeMutableRawPointer.allocate(byteCount: length * height + 1, alignment: 16)
    bitmap.pixels.withUnsafeBufferPointer { buffer in
      if let pixels = buffer.baseAddress { filter(pixels, width: width, height: height) }
    }
  }

  deinit { memory.deallocate() }

  /// Bytes of the rows, valid as long as the value lives.
  var bytes: UnsafeRawPointer { UnsafeRawPointer(memory) }

  private mutating func filter(_ pixels: UnsafePointer<UInt32>, width: Int, height: Int) {
    let scratch = UnsafeMutablePointer<UInt32>.allocate(capacity: width * 2)
    defer { scratch.deallocate() }
    var (current, above) = (scratch, scratch + width)
    var piece = OpenPiece()
    var y = 0
    while y < height {
      let row = pixels + y * width
      let repeats = y > 0 ? Self.repeats(from: row, width: width, most: height - y) : 0
      guard repeats == 0 else {
        append(repeats: repeats, to: &piece)
        y += repeats
        continue
      }
      let output = memory + count
      let busy = y > 0 ? ScanlinePixels.busyCount(row, above: row - width, count: width) : 0
      ScanlinePixels.convert(row, to: current, count: width, isOpaque: channels == 3)
      let filter: Filter = busy * 4 > width ? .up : .none
      output.storeBytes(of: filter.rawValue, as: UInt8.self)
      if filter == .up { ScanlinePixels.subtract(current, from: above, count: width) }
      ScanlinePixels.store(filter == .up ? above : current, to: output + 1, count: width, channels: channels)
      swap(&current, &above)
      piece.busy += busy
      count += length
      y += 1
    }
    close(&piece)
  }

  /// Returns the number of rows, from this one on, that are equal to the one above it.
  private static func repeats(from row: UnsafePointer<UInt32>, width: Int, most: Int) -> Int {
    var rows = 0
    while rows < most, memcmp(row + rows * width, row - width, width * 4) == 0 { rows += 1 }
    return rows
  }

  /// Adds repeated rows: long repeats as a piece of their own, short ones among their neighbours, whose codes suit them
  /// too.
  private mutating func append(repeats rows: Int, to piece: inout OpenPiece) {
    // The end of what libdeflate makes of rows before a repeat has to be found, which takes longer the busier they are.
    if length >= Self.longRow, rows * length >= max(Self.longRepeat, piece.busy * channels * 3 / 2) {
      close(&piece)
      return pieces.append(.repeats(rows))
    }
    memset(memory + count, 0, rows * length)
    for row in 0..<rows { (memory + count + row * length).storeBytes(of: Filter.up.rawValue, as: UInt8.self) }
    count += rows * length
  }

  private mutating func close(_ piece: inout OpenPiece) {
    if piece.start < count {
      let pixels = (count - piece.start) / length * ((length - 1) / channels)
      let share = Double(piece.busy) / Double(pixels)
      pieces.append(.rows(piece.start..<count, busyShare: share))
    }
    piece = OpenPiece(start: count)
  }

  private struct OpenPiece {
    var start = 0
    var busy = 0
  }
}

/// Inner loops between a bitmap's pixels and a PNG's bytes; a wire pixel has red in its lowest byte.
enum ScanlinePixels {
  /// Returns the number of pixels that repeat neither their left nor their upper neighbour.
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

  /// Converts premultiplied pixels to wire pixels with straight alpha; the alpha of opaque ones is undefined.
  static func convert(
    _ row: UnsafePointer<UInt32>, to wire: UnsafeMutablePointer<UInt32>, count: Int, isOpaque: Bool
  ) {
    if isOpaque {
      for x in 0..<count { wire[x] = row[x].byteSwapped &>> 8 }
    } else {
      for x in 0..<count { wire[x] = straight(row[x]) }
    }
  }

  /// Replaces the pixels of `above` with the bytewise difference `wire` minus `above`.
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

  /// Divides the colour channels by the alpha, rounded to the nearest, and moves red to the lowest byte.
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

  /// Multiplies a straight wire pixel by its alpha and moves red to the byte below the alpha.
  @inline(__always)
  static func premultiplied(_ wire: UInt32) -> UInt32 {
    let pixel = wire & 0xFF00_FF00 | (wire & 0xFF) &<< 16 | (wire &>> 16) & 0xFF
    let alpha = pixel &>> 24
    return alpha == 255 ? pixel : SourceOver.scale(pixel | 0xFF00_0000, by: alpha)
  }
}
