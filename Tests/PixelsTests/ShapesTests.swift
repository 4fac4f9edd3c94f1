import Testing

@testable import Pixels

@Suite struct ShapesTests {
  /// How many pixels' worth of ink a drawing leaves on an empty bitmap.
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
