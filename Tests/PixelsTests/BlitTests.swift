import Testing

@testable import Pixels

@Suite struct BlitTests {
  /// Bitmap of 2x2 opaque pixels, all different.
  static let tile = Bitmap(width: 2, height: 2, pixels: [0xFF00_0001, 0xFF00_0002, 0xFF00_0003, 0xFF00_0004])

  /// Returns the last digits of the 3x3 bitmap that a blit of `tile` leaves; 0 where nothing was drawn.
  private func drawn(x: Int, y: Int, clip: PixelRect? = nil) -> [UInt32] {
    var target = Bitmap(width: 3, height: 3, fill: .black)
    target.blit(Self.tile, x: x, y: y, clip: clip)
    return target.pixels.map { $0 & 0xFF }
  }

  @Test func insideEverythingIsCopied() {
    #expect(drawn(x: 0, y: 0) == [1, 2, 0, 3, 4, 0, 0, 0, 0])
    #expect(drawn(x: 1, y: 1) == [0, 0, 0, 0, 1, 2, 0, 3, 4])
  }

  @Test func everyEdgeAndCornerClips() {
    #expect(drawn(x: -1, y: 0) == [2, 0, 0, 4, 0, 0, 0, 0, 0])
    #expect(drawn(x: 2, y: 0) == [0, 0, 1, 0, 0, 3, 0, 0, 0])
    #expect(drawn(x: 0, y: -1) == [3, 4, 0, 0, 0, 0, 0, 0, 0])
    #expect(drawn(x: 0, y: 2) == [0, 0, 0, 0, 0, 0, 1, 2, 0])
    #expect(drawn(x: -1, y: -1) == [4, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(drawn(x: 2, y: 2) == [0, 0, 0, 0, 0, 0, 0, 0, 1])
  }

  @Test(arguments: [(-2, 0), (3, 0), (0, -2), (0, 3), (Int.max, 0), (0, Int.min)])
  func outsideNothingIsDrawn(_ x: Int, _ y: Int) {
    #expect(drawn(x: x, y: y) == [0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func clipLimitsTheDestination() {
    #expect(drawn(x: 0, y: 0, clip: PixelRect(x: 1, y: 0, width: 9, height: 9)) == [0, 2, 0, 0, 4, 0, 0, 0, 0])
    #expect(drawn(x: 1, y: 1, clip: PixelRect(x: 0, y: 0, width: 2, height: 2)) == [0, 0, 0, 0, 1, 0, 0, 0, 0])
    #expect(drawn(x: 0, y: 0, clip: PixelRect(x: 2, y: 2, width: 1, height: 1)) == [0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func rowsOfEveryKindAreLaidOver() {
    // An opaque row, an invisible one, a translucent one and one of all three.
    let source = Bitmap(
      width: 3, height: 4,
      pixels: [
        0xFF11_2233, 0xFF44_5566, 0xFF77_8899, 0, 0, 0, 0x8080_0000, 0x8080_0000, 0x8080_0000,
        0xFF11_2233, 0, 0x8080_0000,
      ])
    var target = Bitmap(width: 3, height: 4, fill: Color(rgb: 0x00_00FF))
    target.blit(source, x: 0, y: 0)
    #expect(
      target.pixels == [
        0xFF11_2233, 0xFF44_5566, 0xFF77_8899, 0xFF00_00FF, 0xFF00_00FF, 0xFF00_00FF,
        0xFF80_007F, 0xFF80_007F, 0xFF80_007F, 0xFF11_2233, 0xFF00_00FF, 0xFF80_007F,
      ])
  }
}

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

@Suite struct ShapesTests {
  /// Returns the amount of ink in pixels that a drawing leaves on an empty bitmap.
  private func ink(_ draw: (inout Bitmap) -> Void) -> Double {
    var bitmap = Bitmap(width: 100, height: 100, fill: .clear)
    draw(&bitmap)
    return bitmap.pixels.reduce(0) { $0 + Double($1 >> 24) / 255 }
  }

  @Test func circleHasItsArea() {
    let area = ink { $0.fillCircle(center: PixelPoint(x: 50, y: 50), radius: 40, color: .white) }
    #expect(abs(area - Double.pi * 1600) < 3)
  }

  @Test func lineHasTheAreaOfItsBodyAndRoundEnds() {
    let (start, end) = (PixelPoint(x: 20, y: 20), PixelPoint(x: 80, y: 65))
    let area = ink { $0.strokeLine(from: start, to: end, width: 10, color: .white) }
    #expect(abs(area - (75 * 10 + Double.pi * 25)) < 3)
  }

  @Test func horizontalLineOfTwoPixelsIsSharp() {
    var bitmap = Bitmap(width: 9, height: 6, fill: .clear)
    bitmap.strokeLine(from: PixelPoint(x: 2, y: 3), to: PixelPoint(x: 7, y: 3), width: 2, color: .white)
    #expect((0..<6).map { bitmap[4, $0].alpha } == [0, 0, 255, 255, 0, 0])
  }

  @Test func thinLineIsFainterNotBroken() {
    var bitmap = Bitmap(width: 9, height: 3, fill: .clear)
    bitmap.strokeLine(from: PixelPoint(x: 0, y: 1.5), to: PixelPoint(x: 9, y: 1.5), width: 0.5, color: .white)
    #expect((0..<9).map { bitmap[$0, 1].alpha } == [UInt8](repeating: 128, count: 9))
  }

  @Test func triangleCoversHalfItsBox() {
    let corners = [PixelPoint(x: 10, y: 10), PixelPoint(x: 90, y: 10), PixelPoint(x: 10, y: 90)]
    let area = ink { $0.fillPolygon(corners, color: .white) }
    #expect(abs(area - 3200) < 2)
    let reversed = ink { $0.fillPolygon(corners.reversed(), color: .white) }
    #expect(abs(area - reversed) < 0.001)
  }

  @Test func polygonOnPixelEdgesIsARectangle() {
    var polygon = Bitmap(width: 8, height: 8, fill: .clear)
    var rectangle = polygon
    polygon.fillPolygon(
      [PixelPoint(x: 2, y: 1), PixelPoint(x: 6, y: 1), PixelPoint(x: 6, y: 7), PixelPoint(x: 2, y: 7)], color: .white)
    rectangle.fill(PixelRect(x: 2, y: 1, width: 4, height: 6), .white)
    #expect(polygon == rectangle)
  }

  @Test func shapesReachingOutsideAreClipped() {
    var whole = Bitmap(width: 60, height: 60, fill: .clear)
    var part = Bitmap(width: 20, height: 20, fill: .clear)
    let corners = [PixelPoint(x: 5, y: 8), PixelPoint(x: 55, y: 20), PixelPoint(x: 15, y: 50)]
    whole.fillPolygon(corners, color: .white)
    part.fillPolygon(corners.map { PixelPoint(x: $0.x - 20, y: $0.y - 20) }, color: .white)
    #expect(part == whole.crop(PixelRect(x: 20, y: 20, width: 20, height: 20)))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func coordinatesThatAreNotFiniteDrawNothing(_ value: Double) {
    let (bad, good) = (PixelPoint(x: value, y: 5), PixelPoint(x: 5, y: 5))
    let area = ink {
      $0.fillCircle(center: bad, radius: 5, color: .white)
      $0.fillCircle(center: good, radius: value, color: .white)
      $0.strokeLine(from: good, to: bad, width: 3, color: .white)
      $0.strokeLine(from: good, to: good, width: value, color: .white)
      $0.fillPolygon([good, bad, PixelPoint(x: 0, y: 9)], color: .white)
    }
    #expect(area == 0)
  }

  @Test func hugeCoordinatesAreHarmless() {
    let area = ink { $0.fillCircle(center: PixelPoint(x: 1e300, y: -1e300), radius: 1e6, color: .white) }
    #expect(area == 0)
  }
}

@Suite struct SourceOverTests {
  @Test func scalingRoundsToTheNearestForEveryValue() {
    for alpha in UInt32(0)...255 {
      for value in UInt32(0)...255 {
        let expected = (value * alpha * 2 + 255) / 510
        let scaled = SourceOver.scale(value * 0x0101_0101, by: alpha)
        guard scaled == expected * 0x0101_0101 else {
          Issue.record("\(value) * \(alpha) / 255 gave \(String(scaled, radix: 16))")
          return
        }
      }
    }
  }

  @Test func halfRedOverBlueIsPurple() {
    let red = Color(red: 255, green: 0, blue: 0, alpha: 128).premultiplied
    #expect(SourceOver.blend(red, over: 0xFF00_00FF) == 0xFF80_007F)
  }

  @Test func opaqueReplacesAndClearChangesNothing() {
    #expect(SourceOver.blend(0xFF12_3456, over: 0x8040_2010) == 0xFF12_3456)
    #expect(SourceOver.blend(0, over: 0x8040_2010) == 0x8040_2010)
  }

  @Test func translucentOverTranslucentAddsUpItsAlpha() {
    // 0x80 + 0x80 * (255 - 0x80) / 255 = 128 + 63.75
    #expect(SourceOver.blend(0x8080_0000, over: 0x8000_0080) == 0xC080_0040)
  }
}
