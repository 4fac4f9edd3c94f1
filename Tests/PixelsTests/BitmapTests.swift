import Testing

@testable import Pixels

@Suite struct BitmapTests {
  /// 3x2 pixels, counted from 1.
  static let counted = Bitmap(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6])

  @Test func copyingSkipsThePaddingOfRows() {
    let padded: [UInt32] = [1, 2, 3, 99, 4, 5, 6, 99]
    padded.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      #expect(Bitmap(width: 3, height: 2, copying: base, stride: 16) == Self.counted)
    }
  }

  @Test func copyingTakesRowsWithoutPadding() {
    Self.counted.pixels.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      #expect(Bitmap(width: 3, height: 2, copying: base, stride: 12) == Self.counted)
    }
  }

  @Test func samePixelsInAnotherShapeAreNotEqual() {
    #expect(Self.counted != Bitmap(width: 2, height: 3, pixels: Self.counted.pixels))
    var other = Self.counted
    #expect(other == Self.counted)
    other.pixels[5] = 7
    #expect(other != Self.counted)
  }

  @Test func cropKeepsThePartInside() {
    let part = Self.counted.crop(PixelRect(x: 1, y: 0, width: 2, height: 2))
    #expect(part == Bitmap(width: 2, height: 2, pixels: [2, 3, 5, 6]))
    let corner = Self.counted.crop(PixelRect(x: -5, y: 1, width: 6, height: 9))
    #expect(corner == Bitmap(width: 1, height: 1, pixels: [4]))
  }

  @Test func cropOutsideIsEmpty() {
    let nothing = Self.counted.crop(PixelRect(x: 3, y: 0, width: 4, height: 4))
    #expect(nothing == Bitmap(width: 0, height: 0, fill: .white))
  }

  @Test(arguments: [1, 2, 7, 64, 1001])
  func oneDifferentPixelAnywhereIsNotUniform(_ width: Int) {
    let blank = Bitmap(width: width, height: 3, fill: Color(rgb: 0x12_3456))
    #expect(blank.isUniform)
    for index in [0, width * 3 / 2, width * 3 - 1] {
      var spotted = blank
      spotted.pixels[index] ^= 1
      #expect(!spotted.isUniform)
    }
  }

  @Test func emptyAndSinglePixelBitmapsAreUniform() {
    #expect(Bitmap(width: 0, height: 0, pixels: []).isUniform)
    #expect(Bitmap(width: 1, height: 1, fill: .clear).isUniform)
  }

  @Test(arguments: [(300, 100), (1179, 2556), (3, 2)])
  func whatIsOfItsCommonestColourIsNoContent(width: Int, height: Int) {
    var bitmap = Bitmap(width: width, height: height, fill: .black)
    #expect(bitmap.contentShare == 0)
    for index in 0..<width * height where index % width >= width - width / 3 { bitmap.pixels[index] = 0xffff_ffff }
    #expect(abs(bitmap.contentShare - 1.0 / 3) < 0.03, "\(bitmap.contentShare)")
    #expect(Bitmap(width: 0, height: 0, pixels: []).contentShare == 0)
  }

  @Test func oneTranslucentPixelIsNotOpaque() {
    var bitmap = Bitmap(width: 33, height: 5, fill: .black)
    #expect(bitmap.isOpaque)
    bitmap.pixels[100] = 0xFE00_0000
    #expect(!bitmap.isOpaque)
  }
}

@Suite struct ColorTests {
  @Test func straightComponentsAreMultipliedByAlpha() {
    #expect(Color(red: 255, green: 128, blue: 0).premultiplied == 0xFFFF_8000)
    #expect(Color(red: 255, green: 128, blue: 0, alpha: 128).premultiplied == 0x8080_4000)
    #expect(Color(red: 9, green: 9, blue: 9, alpha: 0) == .clear)
  }

  @Test func hexadecimalTextIsRead() {
    #expect(Color("#1c2d3e") == Color(red: 0x1C, green: 0x2D, blue: 0x3E))
    #expect(Color("#FFFFFF80")?.premultiplied == 0x8080_8080)
  }

  @Test(arguments: ["", "#", "123456", "#12345", "#1234567", "#12345g", "#+12345", "##12345", "#123456789"])
  func otherTextIsNoColor(_ text: String) {
    #expect(Color(text) == nil)
  }

  @Test func scrimIsBlackAtSixtyPercent() {
    #expect(Color.scrim.premultiplied == 0x9900_0000)
    #expect(!Color.scrim.isOpaque)
    #expect(Color.white.isOpaque)
  }
}

@Suite struct PixelRectTests {
  @Test func intersectionIsThePartInBoth() {
    let a = PixelRect(x: 0, y: 0, width: 10, height: 10)
    let b = PixelRect(x: 6, y: -3, width: 10, height: 5)
    #expect(a.intersection(b) == PixelRect(x: 6, y: 0, width: 4, height: 2))
    #expect(b.intersection(a) == a.intersection(b))
  }

  @Test func rectanglesThatOnlyTouchDoNotIntersect() {
    let a = PixelRect(x: 0, y: 0, width: 10, height: 10)
    #expect(a.intersection(PixelRect(x: 10, y: 0, width: 5, height: 5)) == nil)
    #expect(a.intersection(PixelRect(x: 0, y: 10, width: 5, height: 5)) == nil)
  }

  @Test func emptyAndNegativeRectanglesIntersectNothing() {
    let a = PixelRect(x: 0, y: 0, width: 10, height: 10)
    #expect(a.intersection(PixelRect(x: 2, y: 2, width: 0, height: 5)) == nil)
    #expect(a.intersection(PixelRect(x: 5, y: 5, width: -3, height: 5)) == nil)
  }

  @Test func hugeRectanglesSaturateInsteadOfOverflowing() {
    let huge = PixelRect(x: 5, y: 5, width: .max, height: .max)
    #expect(huge.maxX == .max)
    #expect(huge.offset(x: .max, y: .min).x == .max)
    #expect(
      huge.intersection(PixelRect(x: 0, y: 0, width: 8, height: 9)) == PixelRect(x: 5, y: 5, width: 3, height: 4))
  }
}

@Suite("Making a bitmap smaller")
struct ReducingTests {
  @Test("each pixel is the mean of its square, and of what there is of it at the edges")
  func means() {
    let (black, white) = (Color.black.premultiplied, Color.white.premultiplied)
    let bitmap = Bitmap(width: 3, height: 2, pixels: [black, white, white, white, black, black])
    let reduced = bitmap.reduced(by: 2)
    #expect(reduced.width == 2)
    #expect(reduced.height == 1)
    #expect(reduced.pixels == [0xFF80_8080, 0xFF80_8080])
  }

  @Test("what is see-through weighs less")
  func transparency() {
    let red = Color(red: 255, green: 0, blue: 0).premultiplied
    let reduced = Bitmap(width: 2, height: 1, pixels: [red, 0]).reduced(by: 2)
    #expect(reduced.pixels == [0x8080_0000])
  }

  @Test("a factor of one, or an empty bitmap, changes nothing", arguments: [1, 4])
  func nothing(factor: Int) {
    let empty = Bitmap(width: 0, height: 0, pixels: [])
    #expect(empty.reduced(by: factor) == empty)
    let one = Bitmap(width: 1, height: 1, fill: .white)
    #expect(one.reduced(by: factor) == one)
  }
}
