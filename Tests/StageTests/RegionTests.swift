import MRAID
import Testing

@testable import Stage

@Suite struct RegionTests {
  @Test func cutsAHoleIntoFourParts() {
    let parts = Rect(x: 0, y: 0, width: 10, height: 10).subtracting(Rect(x: 2, y: 3, width: 4, height: 5))
    #expect(
      parts == [
        Rect(x: 0, y: 0, width: 10, height: 3), Rect(x: 0, y: 3, width: 2, height: 5),
        Rect(x: 6, y: 3, width: 4, height: 5), Rect(x: 0, y: 8, width: 10, height: 2),
      ])
  }

  @Test func leavesWhatIsOnlyTouchedAndNothingOfWhatIsCovered() {
    let rect = Rect(x: 0, y: 0, width: 10, height: 10)
    #expect(rect.subtracting(Rect(x: 10, y: 0, width: 5, height: 10)) == [rect])
    #expect(rect.subtracting(Rect(x: -1, y: -1, width: 20, height: 20)) == [])
    #expect(rect.subtracting(Rect(x: 5, y: 5, width: 0, height: 5)) == [rect])
  }

  @Test func keepsTheLargestWholeAndDropsDuplicates() {
    let large = Rect(x: 0, y: 0, width: 10, height: 10)
    let small = Rect(x: 1, y: 1, width: 2, height: 2)
    let region = Region(union: [Rect(x: 5, y: 0, width: 8, height: 4), large, large, small])
    #expect(region.rects == [large, Rect(x: 10, y: 0, width: 3, height: 4)])
    #expect(region.area == 112)
    #expect(Region(union: []).isEmpty)
  }

  @Test func coversTheSamePointsAsItsRectanglesWithoutOverlap() {
    var random = RepeatableRandom(state: 7)
    for _ in 0..<300 {
      let rects = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Rect(
          x: Double(Int.random(in: 0..<12, using: &random)), y: Double(Int.random(in: 0..<12, using: &random)),
          width: Double(Int.random(in: 0..<9, using: &random)), height: Double(Int.random(in: 0..<9, using: &random)))
      }
      let region = Region(union: rects)
      for cell in 0..<400 {
        let point = Point(x: Double(cell % 20) + 0.5, y: Double(cell / 20) + 0.5)
        let covering = region.rects.filter { $0.contains(point) }.count
        #expect(covering == (rects.contains { $0.contains(point) } ? 1 : 0))
      }
      let areas = region.rects.map(\.area)
      #expect(areas == areas.sorted(by: >))
    }
  }
}

/// Repeats the same numbers in every run.
struct RepeatableRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
