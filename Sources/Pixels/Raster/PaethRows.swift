/// Undoes PNG's Paeth filter (PNG specification, 9.4) on two rows at once, the lower one a pixel behind.
///
/// Each pixel needs the one before it, so one row leaves most of the processor idle; two have twice the work at hand.
enum PaethRows {
  private typealias Half = SIMD4<Int16>
  private typealias Pair = SIMD8<Int16>

  /// Undoes a row and the one below it; `count` bytes each, `stride` apart.
  @inline(__always)
  static func undoTwo(_ row: UnsafeMutableRawPointer, above: UnsafeRawPointer, stride: Int, count: Int, channels: Int) {
    let next = row + stride
    let none = Half(repeating: 0)
    // The upper row's pixel is in the low half, the lower row's in the high one.
    var (left, aboveLeft) = (Pair(repeating: 0), Pair(repeating: 0))
    var top = Pair(lowHalf: load(above), highHalf: none)
    left = sum(left, top, aboveLeft, Pair(lowHalf: load(row), highHalf: none))
    aboveLeft = top
    store(left.lowHalf, to: row, channels: channels)
    var at = channels
    while at < count {
      let (upper, lower) = (row + at, next + (at &- channels))
      top = Pair(lowHalf: load(above + at), highHalf: left.lowHalf)
      left = sum(left, top, aboveLeft, Pair(lowHalf: load(upper), highHalf: load(lower)))
      aboveLeft = top
      store(left.lowHalf, to: upper, channels: channels)
      store(left.highHalf, to: lower, channels: channels)
      at &+= channels
    }
    let last = next + (count &- channels)
    left = sum(left, Pair(lowHalf: none, highHalf: left.lowHalf), aboveLeft, Pair(lowHalf: none, highHalf: load(last)))
    store(left.highHalf, to: last, channels: channels)
  }

  /// Undoes one row.
  @inline(__always)
  static func undoOne(_ row: UnsafeMutableRawPointer, above: UnsafeRawPointer, count: Int, channels: Int) {
    let none = Half(repeating: 0)
    var (left, aboveLeft) = (Pair(repeating: 0), Pair(repeating: 0))
    var at = 0
    while at < count {
      let top = Pair(lowHalf: load(above + at), highHalf: none)
      left = sum(left, top, aboveLeft, Pair(lowHalf: load(row + at), highHalf: none))
      aboveLeft = top
      store(left.lowHalf, to: row + at, channels: channels)
      at &+= channels
    }
  }

  /// The filtered value and whichever neighbour is nearest to left + top - aboveLeft.
  @inline(__always)
  private static func sum(_ left: Pair, _ top: Pair, _ aboveLeft: Pair, _ filtered: Pair) -> Pair {
    let (toLeft, toTop) = (top &- aboveLeft, left &- aboveLeft)
    let (a, b, c) = (magnitude(toLeft), magnitude(toTop), magnitude(toLeft &+ toTop))
    let nearest = aboveLeft.replacing(with: top, where: b .<= c).replacing(with: left, where: (a .<= b) .& (a .<= c))
    return (nearest &+ filtered) & Pair(repeating: 255)
  }

  @inline(__always)
  private static func magnitude(_ value: Pair) -> Pair {
    value.replacing(with: Pair(repeating: 0) &- value, where: value .< Pair(repeating: 0))
  }

  /// Four bytes of which the last may belong to the next pixel.
  @inline(__always)
  private static func load(_ place: UnsafeRawPointer) -> Half {
    Half(truncatingIfNeeded: unsafeBitCast(place.loadUnaligned(as: UInt32.self), to: SIMD4<UInt8>.self))
  }

  @inline(__always)
  private static func store(_ value: Half, to place: UnsafeMutableRawPointer, channels: Int) {
    ScanlineFilter.store(
      unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: value), to: UInt32.self), to: place, channels: channels)
  }
}
