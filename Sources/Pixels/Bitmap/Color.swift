/// A colour as a bitmap holds it: 0xAARRGGBB, premultiplied by its alpha.
package struct Color: Hashable, Sendable {
  /// The value to store in a bitmap.
  package let premultiplied: UInt32

  /// Takes a value that is premultiplied already, such as a bitmap's pixel.
  package init(premultiplied: UInt32) {
    self.premultiplied = premultiplied
  }

  /// Takes straight components, 0 to 255, as CSS and designers write them.
  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    let straight = 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    premultiplied = SourceOver.scale(straight, by: UInt32(alpha))
  }

  /// Takes 0xRRGGBB and a straight alpha, 0 to 255.
  package init(rgb: UInt32, alpha: UInt8 = 255) {
    premultiplied = SourceOver.scale(0xFF00_0000 | rgb & 0xFF_FFFF, by: UInt32(alpha))
  }

  /// Takes `#rrggbb` or `#rrggbbaa`; nil for anything else.
  package init?(_ text: String) {
    let digits = text.dropFirst()
    guard text.first == "#", digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else { return nil }
    switch digits.count {
    case 6: self.init(rgb: value)
    case 8: self.init(rgb: value >> 8, alpha: UInt8(truncatingIfNeeded: value))
    default: return nil
    }
  }

  /// 0 is invisible, 255 opaque.
  package var alpha: UInt8 { UInt8(truncatingIfNeeded: premultiplied >> 24) }
  /// Whether nothing shows through it.
  package var isOpaque: Bool { alpha == 255 }

  /// Nothing at all.
  package static let clear = Color(premultiplied: 0)
  package static let black = Color(rgb: 0x00_0000)
  package static let white = Color(rgb: 0xFF_FFFF)
  /// What a modal lays over everything below it: black at 60 %.
  package static let scrim = Color(rgb: 0x00_0000, alpha: 153)
}
