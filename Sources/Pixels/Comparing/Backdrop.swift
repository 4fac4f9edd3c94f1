/// What shows through a pixel that isn't opaque: one of four colours by its place, so that no colour hides on it.
enum Backdrop {
  /// The components behind a pixel; `index` counts from the top-left in rows.
  ///
  /// pixelmatch's own pattern to the digit, in which red never changes since its offsets are multiples of four.
  @inline(__always)
  static func color(at index: Int) -> SIMD3<Double> {
    let offset = Double(index &* 4)
    return SIMD3(48, shade(offset / 1.618033988749895), shade(offset / 2.618033988749895))
  }

  @inline(__always)
  private static func shade(_ value: Double) -> Double { Int(value) & 1 == 0 ? 48 : 207 }
}
