/// Undoes the filters of a PNG's rows in place (PNG specification, section 9), with 3 or 4 bytes per pixel.
enum ScanlineFilter {
  /// Undoes the filters of rows that each follow their filter byte; false for an invalid filter byte.
  ///
  /// `memory` must be readable for `Raster.slack` bytes beyond the last row.
  static func undo(_ memory: UnsafeMutableRawPointer, width: Int, rows: Int, channels: Int) -> Bool {
    // Each is compiled for its number of channels.
    channels == 3
      ? undo(memory, count: width * 3, rows: rows, channels: 3)
      : undo(memory, count: width * 4, rows: rows, channels: 4)
  }

  @inline(__always)
  private static func undo(_ memory: UnsafeMutableRawPointer, count: Int, rows: Int, channels: Int) -> Bool {
    let stride = count + 1
    // A row of zeros, above the first; and one for what nobody reads.
    let spare = UnsafeMutableRawPointer.allocate(byteCount: 2 * (count + Raster.slack), alignment: 16)
    defer { spare.deallocate() }
    spare.initializeMemory(as: UInt8.self, repeating: 0, count: 2 * (count + Raster.slack))
    let (blank, scratch) = (UnsafeRawPointer(spare), spare + (count + Raster.slack))
    var y = 0
    while y < rows {
      let row = memory + (y * stride + 1)
      let above = y == 0 ? blank : UnsafeRawPointer(row - stride)
      var done = 1
      switch (row - 1).load(as: UInt8.self) {
      case 0: break
      case 1: undoSub(row, count: count, channels: channels)
      case 2: undoUp(row, above: above, count: count)
      case 3: undoAverage(row, above: above, count: count, channels: channels)
      case 4:
        while done < min(PaethRows.most, rows - y), (row - 1 + done * stride).load(as: UInt8.self) == 4 { done += 1 }
        PaethRows.undo(
          row, rows: done, above: above, stride: stride, count: count, channels: channels, scratch: scratch)
      default: return false
      }
      y += done
    }
    return true
  }

  @inline(__always)
  private static func undoSub(_ row: UnsafeMutableRawPointer, count: Int, channels: Int) {
    var left = SIMD4<UInt8>(repeating: 0)
    var at = 0
    while at < count {
      left &+= load(row + at)
      store(unsafeBitCast(left, to: UInt32.self), to: row + at, channels: channels)
      at &+= channels
    }
  }

  @inline(__always)
  private static func undoUp(_ row: UnsafeMutableRawPointer, above: UnsafeRawPointer, count: Int) {
    var at = 0
    while at &+ 32 <= count {
      let sum = (row + at).loadUnaligned(as: SIMD32<UInt8>.self) &+ (above + at).loadUnaligned(as: SIMD32<UInt8>.self)
      (row + at).storeBytes(of: sum, as: SIMD32<UInt8>.self)
      at &+= 32
    }
    while at < count {
      let sum = (row + at).load(as: UInt8.self) &+ (above + at).load(as: UInt8.self)
      (row + at).storeBytes(of: sum, as: UInt8.self)
      at &+= 1
    }
  }

  @inline(__always)
  private static func undoAverage(
    _ row: UnsafeMutableRawPointer, above: UnsafeRawPointer, count: Int, channels: Int
  ) {
    var left = SIMD4<UInt8>(repeating: 0)
    var at = 0
    while at < count {
      let top = load(above + at)
      // Half the sum without a ninth bit: what both have, and half of what one has.
      left = load(row + at) &+ ((left & top) &+ (((left ^ top) & SIMD4(repeating: 0xFE)) &>> SIMD4(repeating: 1)))
      store(unsafeBitCast(left, to: UInt32.self), to: row + at, channels: channels)
      at &+= channels
    }
  }

  /// Loads four bytes, of which the last may belong to the next pixel.
  @inline(__always)
  private static func load(_ place: UnsafeRawPointer) -> SIMD4<UInt8> {
    unsafeBitCast(place.loadUnaligned(as: UInt32.self), to: SIMD4<UInt8>.self)
  }

  /// Writes a pixel and nothing beyond it.
  @inline(__always)
  static func store(_ pixel: UInt32, to place: UnsafeMutableRawPointer, channels: Int) {
    if channels == 4 {
      place.storeBytes(of: pixel, as: UInt32.self)
    } else {
      place.storeBytes(of: UInt16(truncatingIfNeeded: pixel.littleEndian), as: UInt16.self)
      (place + 2).storeBytes(of: UInt8(truncatingIfNeeded: pixel.littleEndian &>> 16), as: UInt8.self)
    }
  }
}

/// Undoes PNG's Paeth filter (PNG specification, 9.4) on up to four rows at once, each a pixel behind the one above it.
///
/// Each pixel needs the one before it, so one row alone leaves most of the processor idle.
struct PaethRows {
  private typealias Pixel = SIMD4<Int16>
  private typealias Two = SIMD8<Int16>
  private typealias Four = SIMD16<Int16>

  /// Addresses of the rows; those beyond the image's are scratch memory of a row's size.
  private let rows: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer)
  private let above: UnsafeRawPointer
  private let count: Int
  private let channels: Int
  private var left = Four(repeating: 0)
  private var aboveLeft = Four(repeating: 0)

  /// Maximum number of rows undone at once.
  static let most = 4

  /// Undoes `rows` rows of `count` bytes that start `stride` bytes apart; `scratch` has room for one.
  @inline(__always)
  static func undo(
    _ row: UnsafeMutableRawPointer, rows: Int, above: UnsafeRawPointer, stride: Int, count: Int, channels: Int,
    scratch: UnsafeMutableRawPointer
  ) {
    func place(_ index: Int) -> UnsafeMutableRawPointer { index < rows ? row + index &* stride : scratch }
    var work = PaethRows(
      rows: (row, place(1), place(2), place(3)), above: above, count: count, channels: channels)
    let lag = (most - 1) &* channels
    // At both ends some rows haven't begun or are done.
    for at in Swift.stride(from: 0, to: min(lag, count &+ lag), by: channels) { work.edge(at) }
    var at = lag
    while at < count {
      work.step(at)
      at &+= channels
    }
    for at in Swift.stride(from: max(lag, count), to: count &+ lag, by: channels) { work.edge(at) }
  }

  private init(
    rows: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer),
    above: UnsafeRawPointer, count: Int, channels: Int
  ) {
    (self.rows, self.above, self.count, self.channels) = (rows, above, count, channels)
  }

  /// Undoes one pixel of each row; `at` is the first row's position.
  @inline(__always)
  private mutating func step(_ at: Int) {
    let p = rows.0 + at
    let q = rows.1 + (at &- channels)
    let r = rows.2 + (at &- 2 &* channels)
    let s = rows.3 + (at &- 3 &* channels)
    let sum = sum(top: Self.load(above + at), Self.join(Self.load(p), Self.load(q), Self.load(r), Self.load(s)))
    Self.store(sum.lowHalf.lowHalf, to: p, channels: channels)
    Self.store(sum.lowHalf.highHalf, to: q, channels: channels)
    Self.store(sum.highHalf.lowHalf, to: r, channels: channels)
    Self.store(sum.highHalf.highHalf, to: s, channels: channels)
    left = sum
  }

  /// Undoes the pixels at either end, where not every row has one; a row that hasn't begun has zeros to its left.
  private mutating func edge(_ at: Int) {
    let none = Pixel(repeating: 0)
    func place(_ row: UnsafeMutableRawPointer, _ lag: Int) -> UnsafeMutableRawPointer? {
      let place = at - lag * channels
      return place >= 0 && place < count ? row + place : nil
    }
    func load(_ place: UnsafeMutableRawPointer?) -> Pixel { place.map { Self.load($0) } ?? none }
    func keep(_ pixel: Pixel, at place: UnsafeMutableRawPointer?) -> Pixel {
      guard let place else { return none }
      Self.store(pixel, to: place, channels: channels)
      return pixel
    }
    let (p, q, r, s) = (place(rows.0, 0), place(rows.1, 1), place(rows.2, 2), place(rows.3, 3))
    let sum = sum(top: p == nil ? none : Self.load(above + at), Self.join(load(p), load(q), load(r), load(s)))
    left = Self.join(
      keep(sum.lowHalf.lowHalf, at: p), keep(sum.lowHalf.highHalf, at: q), keep(sum.highHalf.lowHalf, at: r),
      keep(sum.highHalf.highHalf, at: s))
  }

  /// Returns the sums of the filtered values and the neighbours nearest to left + top - aboveLeft.
  @inline(__always)
  private mutating func sum(top first: Pixel, _ filtered: Four) -> Four {
    // What is left of a row's pixel stands above the next row's.
    let top = Self.join(first, left.lowHalf.lowHalf, left.lowHalf.highHalf, left.highHalf.lowHalf)
    let (toLeft, toTop) = (top &- aboveLeft, left &- aboveLeft)
    let (a, b, c) = (Self.magnitude(toLeft), Self.magnitude(toTop), Self.magnitude(toLeft &+ toTop))
    let nearest = aboveLeft.replacing(with: top, where: b .<= c).replacing(with: left, where: (a .<= b) .& (a .<= c))
    aboveLeft = top
    return (nearest &+ filtered) & Four(repeating: 255)
  }

  @inline(__always)
  private static func magnitude(_ value: Four) -> Four {
    value.replacing(with: Four(repeating: 0) &- value, where: value .< Four(repeating: 0))
  }

  @inline(__always)
  private static func join(_ p: Pixel, _ q: Pixel, _ r: Pixel, _ s: Pixel) -> Four {
    Four(lowHalf: Two(lowHalf: p, highHalf: q), highHalf: Two(lowHalf: r, highHalf: s))
  }

  /// Loads four bytes, of which the last may belong to the next pixel.
  @inline(__always)
  private static func load(_ place: UnsafeRawPointer) -> Pixel {
    Pixel(truncatingIfNeeded: unsafeBitCast(place.loadUnaligned(as: UInt32.self), to: SIMD4<UInt8>.self))
  }

  @inline(__always)
  private static func store(_ value: Pixel, to place: UnsafeMutableRawPointer, channels: Int) {
    ScanlineFilter.store(
      unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: value), to: UInt32.self), to: place, channels: channels)
  }
}
