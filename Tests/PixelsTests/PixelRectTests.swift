import Testing

@testable import Pixels

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
