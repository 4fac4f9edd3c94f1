import MRAID
import Testing

@testable import Stage

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
