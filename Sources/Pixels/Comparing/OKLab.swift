internal import Glibc

/// Björn Ottosson's OKLab (CSS Color 4, section 10.2), from 8-bit sRGB.
enum OKLab {
  /// The squared distance of two pixels, each laid over the backdrop when it isn't opaque.
  static func squaredDistance(_ p: UInt32, _ q: UInt32, index: Int) -> Double {
    let d = coordinates(p, index: index) - coordinates(q, index: index)
    return (d * d).sum()
  }

  /// Lightness from 0 to 1, and the two axes of colour.
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

  /// Light, 0 to 1, of an sRGB component to the nearest whole one.
  private static func linear(_ component: Double) -> Double { table[Int(component + 0.5)] }

  private static let table: [Double] = (0...255).map { value in
    let v = Double(value) / 255
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
  }
}
