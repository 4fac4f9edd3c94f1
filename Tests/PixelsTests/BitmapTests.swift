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

  @Test func oneTranslucentPixelIsNotOpaque() {
    var bitmap = Bitmap(width: 33, height: 5, fill: .black)
    #expect(bitmap.isOpaque)
    bitmap.pixels[100] = 0xFE00_0000
    #expect(!bitmap.isOpaque)
  }
}
