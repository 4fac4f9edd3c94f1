internal import Glibc

/// Relative luminance as WCAG defines it, from 0 (black) to 1 (white).
package enum Luminance {
  /// Each channel's value once the gamma of sRGB is undone.
  private static let linear: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }

  /// Of an opaque pixel, 0xAARRGGBB.
  package static func of(_ pixel: UInt32) -> Double {
    linear.withUnsafeBufferPointer { linear in
      0.2126 * linear[Int(pixel >> 16 & 255)] + 0.7152 * linear[Int(pixel >> 8 & 255)] + 0.0722
        * linear[Int(pixel & 255)]
    }
  }

  /// How two luminances stand out from each other, from 1 to 21.
  package static func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }
}
