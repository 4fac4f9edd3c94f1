/// "Measuring perceived color difference using YIQ NTSC transmission color space in mobile applications",
/// Kotsarenko and Ramos 2010, computed step by step as pixelmatch does so that no last digit differs.
enum YIQ {
  /// The greatest squared distance there is.
  static let greatest = 35215.0

  /// The squared distance of two pixels.
  @inline(__always)
  static func squaredDistance(_ p: UInt32, _ q: UInt32, index: Int) -> Double {
    let d = difference(p, q, index: index)
    let y = d.x * 0.29889531 + d.y * 0.58662247 + d.z * 0.11448223
    let i = d.x * 0.59597799 - d.y * 0.27417610 - d.z * 0.32180189
    let q = d.x * 0.21147017 - d.y * 0.52261711 + d.z * 0.31114694
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
  }

  /// How much brighter the first pixel is.
  @inline(__always)
  static func brightness(_ p: UInt32, over q: UInt32, index: Int) -> Double {
    let d = difference(p, q, index: index)
    return d.x * 0.29889531 + d.y * 0.58662247 + d.z * 0.11448223
  }

  /// Component by component; where either isn't opaque, both are laid over the backdrop first.
  @inline(__always)
  private static func difference(_ p: UInt32, _ q: UInt32, index: Int) -> SIMD3<Double> {
    let (first, second) = (components(p), components(q))
    let (alpha, other) = (Double(p &>> 24), Double(q &>> 24))
    guard alpha < 255 || other < 255 else { return first - second }
    return (first * alpha - second * other - Backdrop.color(at: index) * (alpha - other)) / 255
  }

  @inline(__always)
  static func components(_ pixel: UInt32) -> SIMD3<Double> {
    SIMD3(Double(pixel & 0xFF), Double(pixel &>> 8 & 0xFF), Double(pixel &>> 16 & 0xFF))
  }
}
