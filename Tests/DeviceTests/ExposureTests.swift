import Core
import MRAID
import Testing

@testable import Device

@Suite struct ExposureTests {
  /// The banner stands at (36, 413) and is 320x50; occluders are given from its top-left.
  private func exposure(under occluders: [Rect], scroll: Double = 0) -> Exposure {
    var screen = Samples.banner(scroll: scroll)
    let ad = screen.slotFrame!
    screen.layers += occluders.enumerated().map { index, rect in
      Layer(id: "other-\(index)", kind: .ad, frame: rect.offset(x: ad.x, y: ad.y))
    }
    return screen.exposure(ofView: "ad")
  }

  @Test func isCompleteInFullView() {
    let whole = Rect(x: 0, y: 0, width: 320, height: 50)
    #expect(exposure(under: []) == Exposure(exposedPercentage: 100, visibleRectangle: whole))
  }

  @Test(arguments: [
    (354.0, 100.0, 0.0), (379.0, 50.0, 25.0), (366.5, 75.0, 12.5), (394.0, 20.0, 40.0),
  ])
  func losesWhatScrollsOutAtTheTop(_ scroll: Double, _ percentage: Double, _ top: Double) {
    let visible = Rect(x: 0, y: top, width: 320, height: 50 - top)
    #expect(
      exposure(under: [], scroll: scroll) == Exposure(exposedPercentage: percentage, visibleRectangle: visible))
  }

  @Test func losesWhatReachesBelowTheContentArea() {
    let screen = Samples.banner(position: .bottom, scroll: -25)
    let visible = Rect(x: 0, y: 0, width: 320, height: 25)
    #expect(screen.exposure(ofView: "ad") == Exposure(exposedPercentage: 50, visibleRectangle: visible))
  }

  @Test(arguments: [404.0, 405, 5000, -500])
  func isNoneOffTheScreen(_ scroll: Double) {
    #expect(exposure(under: [], scroll: scroll) == .none)
  }

  @Test func namesARectangleThatCovers() {
    let half = Rect(x: 0, y: 0, width: 160, height: 50)
    let whole = Rect(x: 0, y: 0, width: 320, height: 50)
    #expect(
      exposure(under: [half])
        == Exposure(exposedPercentage: 50, visibleRectangle: whole, occlusionRectangles: [half]))
  }

  @Test func takesOverlappingRectanglesApartLargestFirst() {
    let exposure = exposure(under: [
      Rect(x: 80, y: 0, width: 100, height: 25), Rect(x: 0, y: 0, width: 100, height: 50),
    ])
    #expect(exposure.exposedPercentage == 56.25)
    #expect(
      exposure.occlusionRectangles == [
        Rect(x: 0, y: 0, width: 100, height: 50), Rect(x: 100, y: 0, width: 80, height: 25),
      ])
  }

  @Test func takesACrossApart() {
    let exposure = exposure(under: [
      Rect(x: 0, y: 15, width: 320, height: 20), Rect(x: 150, y: 0, width: 20, height: 50),
    ])
    #expect(exposure.exposedPercentage == 56.25)
    #expect(
      exposure.occlusionRectangles == [
        Rect(x: 0, y: 15, width: 320, height: 20), Rect(x: 150, y: 0, width: 20, height: 15),
        Rect(x: 150, y: 35, width: 20, height: 15),
      ])
  }

  @Test func cutsOccludersToTheVisibleRectangle() {
    let exposure = exposure(under: [Rect(x: 240, y: -400, width: 500, height: 440)], scroll: 354 + 10)
    #expect(exposure.visibleRectangle == Rect(x: 0, y: 10, width: 320, height: 40))
    #expect(exposure.occlusionRectangles == [Rect(x: 240, y: 10, width: 80, height: 30)])
    #expect(exposure.exposedPercentage == 65)
  }

  @Test func isNoneWhenCoveredTogether() {
    let halves = [Rect(x: 0, y: 0, width: 160.25, height: 50), Rect(x: 160.25, y: 0, width: 200, height: 50)]
    #expect(exposure(under: halves) == .none)
  }

  @Test func ignoresWhatIsBesideIt() {
    #expect(exposure(under: [Rect(x: 320, y: 0, width: 50, height: 50)]).occlusionRectangles == nil)
  }

  @Test func isCompleteWhenExpandedUnderTheHostsCloseControl() {
    let whole = Rect(x: 0, y: 0, width: 393, height: 759)
    #expect(
      Samples.expanded().exposure(ofView: "ad") == Exposure(exposedPercentage: 100, visibleRectangle: whole))
  }

  @Test func isNoneUnderAModal() {
    #expect(Samples.browser().exposure(ofView: "ad") == .none)
    #expect(Samples.browser().exposure(ofView: "web").exposedPercentage == 100)
  }

  @Test func losesWhatAResizedAdHasOffTheScreen() {
    let exposure = Samples.resized(to: Rect(x: -100, y: 300, width: 400, height: 250)).exposure(ofView: "ad")
    #expect(exposure.exposedPercentage == 75)
    #expect(exposure.visibleRectangle == Rect(x: 100, y: 0, width: 300, height: 250))
  }

  @Test func isNoneInTheBackgroundWithoutSizeAndForStrangers() {
    var screen = Samples.banner()
    #expect(screen.exposure(of: "stranger") == .none)
    #expect(screen.exposure(ofView: "stranger") == .none)
    screen.isForeground = false
    #expect(screen.exposure(ofView: "ad") == .none)
    #expect(Samples.banner(size: .zero).exposure(ofView: "ad") == .none)
  }
}

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

@Suite struct HitTestTests {
  @Test func findsTheBannerAndThePageAroundIt() {
    let screen = Samples.banner()
    #expect(screen.hitTest(Point(x: 36, y: 413))?.viewID == "ad")
    #expect(screen.hitTest(Point(x: 355.9, y: 462.9))?.viewID == "ad")
    #expect(screen.hitTest(Point(x: 356, y: 430))?.kind == .hostPage)
    #expect(screen.hitTest(Point(x: 100, y: 463))?.kind == .hostPage)
  }

  @Test func findsTheSystemsBarAboveAScrolledBanner() {
    let screen = Samples.banner(scroll: 379)
    #expect(screen.hitTest(Point(x: 100, y: 58))?.kind == .statusBar)
    #expect(screen.hitTest(Point(x: 100, y: 59))?.viewID == "ad")
  }

  @Test func letsTouchesThroughTheHomeIndicator() {
    #expect(Samples.banner().hitTest(Point(x: 196, y: 850))?.kind == .hostPage)
  }

  @Test func swallowsTouchesInAScrim() {
    var screen = Samples.banner()
    screen.layers.append(screen.scrimLayer())
    #expect(screen.hitTest(Point(x: 100, y: 430))?.kind == .scrim)
  }

  @Test func findsTheCloseControlAboveAnExpandedAd() {
    let screen = Samples.expanded()
    #expect(screen.hitTest(Point(x: 343, y: 59))?.kind == .closeControl)
    #expect(screen.hitTest(Point(x: 342, y: 59))?.viewID == "ad")
    #expect(screen.hitTest(Point(x: 343, y: 109))?.viewID == "ad")
    #expect(screen.hitTest(Point(x: 196, y: 845))?.kind == .scrim)
  }

  @Test func letsThePageHaveTouchesBesideAResizedAd() {
    let screen = Samples.resized(to: Rect(x: 36, y: 300, width: 320, height: 250))
    #expect(screen.hitTest(Point(x: 40, y: 540))?.viewID == "ad")
    #expect(screen.hitTest(Point(x: 20, y: 540))?.kind == .hostPage)
    #expect(screen.hitTest(Point(x: 331, y: 325))?.kind == .closeControl)
  }

  @Test func findsNothingOffTheScreenAndInTheBackground() {
    var screen = Samples.banner()
    #expect(screen.hitTest(Point(x: -1, y: 10)) == nil)
    #expect(screen.hitTest(Point(x: 393, y: 10)) == nil)
    screen.isForeground = false
    #expect(screen.hitTest(Point(x: 100, y: 430)) == nil)
  }

  @Test func skipsLayersThatTakeNoTouches() {
    var screen = Samples.banner()
    screen.layers.append(Layer(id: "glass", kind: .ad, frame: screen.bounds, takesTouches: false))
    #expect(screen.hitTest(Point(x: 100, y: 430))?.viewID == "ad")
  }
}
