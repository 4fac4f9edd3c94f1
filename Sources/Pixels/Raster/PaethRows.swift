/// Undoes PNG's Paeth filter (PNG specification, 9.4) on up to four rows at once, each a pixel behind the one above it.
///
/// Each pixel needs the one before it, so one row alone leaves most of the processor idle.
struct PaethRows {
  private typealias Pixel = SIMD4<Int16>
  private typealias Two = SIMD8<Int16>
  private typealias Four = SIMD16<Int16>

  /// Where each row begins; rows beyond the picture's are scratch memory of a row's size.
  private let rows: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer)
  private let above: UnsafeRawPointer
  private let count: Int
  private let channels: Int
  private var left = Four(repeating: 0)
  private var aboveLeft = Four(repeating: 0)

  /// The most rows undone at once.
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

  /// One pixel of each row, `at` being the first row's.
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

  /// The same where not every row has a pixel; a row that hasn't begun has nothing to its left.
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

  /// The filtered values and whichever neighbours are nearest to left + top - aboveLeft.
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

  /// Four bytes of which the last may belong to the next pixel.
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
