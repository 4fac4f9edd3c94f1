import AdExperience
import MRAID
import Pixels
import Testing

@testable import Stage

@Suite struct FeedPlacesTests {
  /// A feed with two ads, 1000 and 3000 dip down its page.
  private func screen(scroll: Double = 0, modals: [ModalState] = []) -> Screen {
    var screen = Screen(device: Samples.device("iphone-15"), scrollOffset: scroll)
    let slot = { (y: Double) in Rect(x: 46, y: y, width: 300, height: 250) }
    screen.feed = FeedPlaces(view: "feed", slots: ["a": slot(1_000), "b": slot(3_000)], shown: ["a", "b"])
    screen.layers = screen.layers(slotView: nil, modals: modals)
    return screen
  }

  @Test func `ads lie above the feed's page, each where its cell is`() {
    let screen = screen(scroll: 900)
    let area = screen.contentArea
    #expect(screen.layers.map(\.kind).prefix(4) == [.hostPage, .feed, .ad, .ad])
    #expect(screen.layer(showing: "feed")?.frame == area)
    #expect(screen.layer(showing: "a")?.frame == Rect(x: area.x + 46, y: area.y + 100, width: 300, height: 250))
    #expect(screen.slotFrame(of: "b")?.y == area.y + 2_100)
    #expect(screen.slotFrame(of: "c") == nil)
  }

  @Test(arguments: [(0.0, 0.0), (900, 100), (1_125, 50), (1_250, 0)])
  func `what can be seen of an ad is what the feed's window leaves`(scroll: Double, share: Double) {
    #expect(screen(scroll: scroll).exposure(ofView: "a").exposedPercentage == share)
  }

  @Test func `an ad without a cell of its own is nowhere`() {
    var screen = screen(scroll: 900)
    screen.feed?.slots["a"] = nil
    screen.layers = screen.layers(slotView: nil, modals: [])
    #expect(screen.layer(showing: "a") == nil)
  }

  @Test func `an expanded ad leaves its cell and covers the others`() {
    let screen = screen(scroll: 900, modals: [ModalState(kind: .expanded, displayView: "b")])
    #expect(screen.layer(showing: "b")?.frame == screen.contentArea)
    #expect(screen.exposure(ofView: "a").exposedPercentage == 0)
    #expect(screen.mostVisibleAd?.viewID == "b")
  }

  @Test func `of ads in the feed the one counts of which most can be seen`() {
    #expect(screen(scroll: 900).mostVisibleAd?.viewID == "a")
    #expect(screen(scroll: 2_900).mostVisibleAd?.viewID == "b")
  }

  @Test func `a finger meets an ad in its cell, and the feed beside it`() {
    let screen = screen(scroll: 900)
    let area = screen.contentArea
    #expect(screen.hitTest(Point(x: area.x + 100, y: area.y + 200))?.viewID == "a")
    #expect(screen.hitTest(Point(x: area.x + 10, y: area.y + 200))?.kind == .feed)
  }

  @Test func `the feed's picture fills the content area and nothing else`() {
    var screen = screen()
    screen.layers = screen.layers(slotView: nil, modals: [])
    let color = Color(rgb: 0x228833)
    let picture = Compositor().compose(screen, views: Samples.pictures(for: screen, color: color))
    let frame = screen.pixelFrame(of: screen.contentArea)
    #expect(picture[frame.x + 1, frame.y + 1] == color)
    #expect(picture[frame.x + 1, frame.y - 1] != color)
    #expect(picture[frame.maxX - 1, frame.maxY - 1] == color)
  }
}
