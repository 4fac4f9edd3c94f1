/// Colour as a bitmap stores it: 0xAARRGGBB, premultiplied by its alpha.
package struct Color: Hashable, Sendable {
  /// Value to store in a bitmap.
  package let premultiplied: UInt32

  /// Creates a colour from a premultiplied value, such as a bitmap's pixel.
  package init(premultiplied: UInt32) {
    self.premultiplied = premultiplied
  }

  /// Creates a colour from straight components, 0 to 255, as in CSS.
  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    let straight = 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    premultiplied = SourceOver.scale(straight, by: UInt32(alpha))
  }

  /// Creates a colour from 0xRRGGBB and a straight alpha, 0 to 255.
  package init(rgb: UInt32, alpha: UInt8 = 255) {
    premultiplied = SourceOver.scale(0xFF00_0000 | rgb & 0xFF_FFFF, by: UInt32(alpha))
  }

  /// Reads `#rrggbb` or `#rrggbbaa`; nil for any other text.
  package init?(_ text: String) {
    let digits = text.dropFirst()
    guard text.first == "#", digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else { return nil }
    switch digits.count {
    case 6: self.init(rgb: value)
    case 8: self.init(rgb: value >> 8, alpha: UInt8(truncatingIfNeeded: value))
    default: return nil
    }
  }

  /// Alpha from 0, invisible, to 255, opaque.
  package var alpha: UInt8 { UInt8(truncatingIfNeeded: premultiplied >> 24) }
  /// Indicates if the colour is opaque.
  package var isOpaque: Bool { alpha == 255 }

  /// Fully transparent colour.
  package static let clear = Color(premultiplied: 0)
  package static let black = Color(rgb: 0x00_0000)
  package static let white = Color(rgb: 0xFF_FFFF)
  /// Backdrop of a modal over everything below it: black at 60 %.
  package static let scrim = Color(rgb: 0x00_0000, alpha: 153)
}

/// Arithmetic of laying one premultiplied pixel over another, rounded as in pixman and cairo.
enum SourceOver {
  /// Multiplies all four channels by `alpha` / 255, rounded to the nearest.
  @inline(__always)
  static func scale(_ pixel: UInt32, by alpha: UInt32) -> UInt32 {
    // Two channels at a time; with t = x + 128, (t + t / 256) / 256 is x / 255 to the nearest.
    var low = (pixel & 0x00FF_00FF) &* alpha &+ 0x0080_0080
    low = ((low &+ ((low &>> 8) & 0x00FF_00FF)) &>> 8) & 0x00FF_00FF
    var high = ((pixel &>> 8) & 0x00FF_00FF) &* alpha &+ 0x0080_0080
    high = (high &+ ((high &>> 8) & 0x00FF_00FF)) & 0xFF00_FF00
    return low | high
  }

  /// Returns `source` laid over `target`.
  @inline(__always)
  static func blend(_ source: UInt32, over target: UInt32) -> UInt32 {
    source &+ scale(target, by: 255 &- source &>> 24)
  }

  /// Lays one colour over `count` pixels.
  static func blend(_ color: Color, over target: UnsafeMutablePointer<UInt32>, count: Int) {
    let source = color.premultiplied
    let rest = 255 &- source &>> 24
    for index in 0..<count { target[index] = source &+ scale(target[index], by: rest) }
  }

  /// Lays `count` pixels over as many others.
  static func blend(_ source: UnsafePointer<UInt32>, over target: UnsafeMutablePointer<UInt32>, count: Int) {
    for index in 0..<count { target[index] = blend(source[index], over: target[index]) }
  }

  /// Returns the bits that the alphas of all pixels share, 255 if all are opaque, and if all pixels are 0.
  static func alphas(of pixels: UnsafeBufferPointer<UInt32>) -> (common: UInt32, isBlank: Bool) {
    guard let base = pixels.baseAddress else { return (255, true) }
    var common = UInt32.max
    var any: UInt32 = 0
    for index in 0..<pixels.count {
      common &= base[index]
      any |= base[index]
    }
    return (common >> 24, any == 0)
  }
}
