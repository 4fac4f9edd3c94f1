internal import Glibc

/// Measure of the distance of two colours; in both, 1 is the distance from black to white.
package enum ColorMetric: String, Sendable, CaseIterable {
  /// Kotsarenko and Ramos' weighted YIQ distance, as in pixelmatch 7.2.0 and most other tools.
  case yiq
  /// Euclidean distance in OKLab (CSS Color 4, section 19): equal numbers look equally different.
  case oklab
}

/// Distance of colours in YIQ, computed step by step as in pixelmatch, so that results agree to the last digit.
///
/// "Measuring perceived color difference using YIQ NTSC transmission color space in mobile applications", Kotsarenko
/// and Ramos 2010.
enum YIQ {
  /// Largest possible squared distance.
  static let greatest = 35215.0

  /// Returns the squared distance of two pixels.
  @inline(__always)
  static func squaredDistance(_ p: UInt32, _ q: UInt32, index: Int) -> Double {
    let d = difference(p, q, index: index)
    let y = d.x * 0.29889531 + d.y * 0.58662247 + d.z * 0.11448223
    let i = d.x * 0.59597799 - d.y * 0.27417610 - d.z * 0.32180189
    let q = d.x * 0.21147017 - d.y * 0.52261711 + d.z * 0.31114694
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
  }

  /// Returns the difference in brightness, positive if the first pixel is brighter.
  @inline(__always)
  static func brightness(_ p: UInt32, over q: UInt32, index: Int) -> Double {
    let d = difference(p, q, index: index)
    return d.x * 0.29889531 + d.y * 0.58662247 + d.z * 0.11448223
  }

  /// Returns the difference of each component; if either pixel isn't opaque, both are laid over the backdrop first.
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

/// Distance of colours in Björn Ottosson's OKLab (CSS Color 4, section 10.2), from 8-bit sRGB.
enum OKLab {
  /// Returns the squared distance of two pixels, each laid over the backdrop if it isn't opaque.
  static func squaredDistance(_ p: UInt32, _ q: UInt32, index: Int) -> Double {
    let d = coordinates(p, index: index) - coordinates(q, index: index)
    return (d * d).sum()
  }

  /// Returns the lightness from 0 to 1, and the coordinates on both axes of colour.
  private static func coordinates(_ pixel: UInt32, index: Int) -> SIMD3<Double> {
    var color = YIQ.components(pixel)
    let alpha = Double(pixel &>> 24)
    if alpha < 255 { color = (color * alpha + Backdrop.color(at: index) * (255 - alpha)) / 255 }
    let (r, g, b) = (linear(color.x), linear(color.y), linear(color.z))
    let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return SIMD3(
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
  }

  /// Returns the linear light, 0 to 1, of an sRGB component, rounded to the nearest whole one.
  private static func linear(_ component: Double) -> Double { table[Int(component + 0.5)] }

  private static let table: [Double] = (0...255).map { value in
    let v = Double(value) / 255
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
  }
}

/// Backdrop behind pixels that aren't opaque: one of four colours by position, so that every colour differs from some
/// of it.
enum Backdrop {
  /// Returns the components behind a pixel; `index` counts from the top-left in rows.
  ///
  /// The pattern is exactly that of pixelmatch, in which red never changes since its offsets are multiples of four.
  @inline(__always)
  static func color(at index: Int) -> SIMD3<Double> {
    let offset = Double(index &* 4)
    return SIMD3(48, shade(offset / 1.618033988749895), shade(offset / 2.618033988749895))
  }

  @inline(__always)
  private static func shade(_ value: Double) -> Double { Int(value) & 1 == 0 ? 48 : 207 }
}
