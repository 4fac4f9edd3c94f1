import Testing

@testable import Pixels

@Suite struct FillTests {
  @Test func fillIsClippedAtEveryEdge() {
    for (x, y) in [(-2, 1), (3, 1), (1, -2), (1, 3)] {
      var bitmap = Bitmap(width: 4, height: 4, fill: .black)
      bitmap.fill(PixelRect(x: x, y: y, width: 3, height: 3), .white)
      let inside = bitmap.pixels.count { $0 == 0xFFFF_FFFF }
      #expect(inside == 3)
    }
  }

  @Test func fillOutsideChangesNothing() {
    var bitmap = Bitmap(width: 4, height: 4, fill: .black)
    bitmap.fill(PixelRect(x: 4, y: 0, width: 9, height: 9), .white)
    bitmap.fill(PixelRect(x: 1, y: 1, width: 0, height: 9), .white)
    #expect(bitmap.isUniform)
  }

  @Test func scrimDarkensWhiteToFortyPercent() {
    var bitmap = Bitmap(width: 37, height: 3, fill: .white)
    bitmap.fill(bitmap.bounds, .scrim)
    #expect(bitmap == Bitmap(width: 37, height: 3, fill: Color(rgb: 0x66_6666)))
  }

  @Test(arguments: [(20, 20, 6.0), (21, 14, 7.0), (9, 9, 4.5), (40, 3, 99.0), (5, 8, 2.25)])
  func roundedRectangleIsSymmetricEvenWhenTranslucent(_ width: Int, _ height: Int, _ radius: Double) {
    var bitmap = Bitmap(width: width + 4, height: height + 4, fill: .clear)
    let rect = PixelRect(x: 2, y: 2, width: width, height: height)
    bitmap.fillRoundedRect(rect, radius: radius, color: Color(rgb: 0xFF_FFFF, alpha: 100))
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        #expect(bitmap[x, y] == bitmap[bitmap.width - 1 - x, y])
        #expect(bitmap[x, y] == bitmap[x, bitmap.height - 1 - y])
      }
    }
    // No pixel is covered twice where corners and bands meet, and none is left out.
    #expect(bitmap[2 + width / 2, 2 + height / 2].alpha == 100)
    #expect(bitmap.pixels.allSatisfy { $0 >> 24 <= 100 })
    #expect(bitmap[1, 2 + height / 2] == .clear)
  }

  @Test func roundedRectangleHasTheAreaGeometrySays() {
    var bitmap = Bitmap(width: 100, height: 100, fill: .clear)
    bitmap.fillRoundedRect(bitmap.bounds, radius: 30, color: .white)
    let covered = bitmap.pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
    #expect(abs(covered - (10_000 - (4 - Double.pi) * 900)) < 3)
    #expect(bitmap[0, 0] == .clear)
    #expect(bitmap[50, 0] == .white)
  }

  @Test func radiusZeroIsAPlainRectangle() {
    var rounded = Bitmap(width: 6, height: 6, fill: .black)
    var plain = rounded
    let rect = PixelRect(x: 1, y: 1, width: 4, height: 3)
    rounded.fillRoundedRect(rect, radius: 0, color: .white)
    plain.fill(rect, .white)
    #expect(rounded == plain)
  }

  @Test func roundedRectangleIsClipped() {
    var whole = Bitmap(width: 20, height: 20, fill: .black)
    whole.fillRoundedRect(PixelRect(x: 5, y: 5, width: 10, height: 10), radius: 4, color: .white)
    var quarter = Bitmap(width: 5, height: 5, fill: .black)
    quarter.fillRoundedRect(PixelRect(x: -5, y: -5, width: 10, height: 10), radius: 4, color: .white)
    #expect(quarter == whole.crop(PixelRect(x: 10, y: 10, width: 5, height: 5)))
  }
}
