import MRAID
import Testing

@testable import Stage

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
