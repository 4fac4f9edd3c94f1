import Core
import MRAID
import Pixels
import Testing

@testable import Device

@Suite struct ScreenTests {
  @Test func swapsScreenAndSafeAreasWhenRotated() {
    let upright = Screen(device: Samples.device("iphone-15"))
    #expect(upright.contentArea == Rect(x: 0, y: 59, width: 393, height: 759))
    let turned = upright.rotated(to: .landscape)
    #expect(turned.size == Size(width: 852, height: 393))
    #expect(turned.contentArea == Rect(x: 59, y: 0, width: 734, height: 372))
    #expect(turned.rotated(to: .portrait) == upright)
  }

  @Test func keepsLayersWhenRotated() {
    let screen = Samples.banner()
    #expect(screen.rotated(to: .landscape).layers == screen.layers)
  }

  @Test(arguments: [
    ("iphone-15", SlotPosition.top, Rect(x: 36, y: 59, width: 320, height: 50)),
    ("iphone-15", .center, Rect(x: 36, y: 413, width: 320, height: 50)),
    ("iphone-15", .bottom, Rect(x: 36, y: 768, width: 320, height: 50)),
    ("iphone-se-3", .center, Rect(x: 27, y: 318, width: 320, height: 50)),
    ("iphone-se-3", .bottom, Rect(x: 27, y: 617, width: 320, height: 50)),
    ("pixel-7", .bottom, Rect(x: 46, y: 841, width: 320, height: 50)),
    ("ipad-mini", .center, Rect(x: 212, y: 543, width: 320, height: 50)),
    ("desktop", .center, Rect(x: 480, y: 375, width: 320, height: 50)),
  ])
  func putsTheSlotInTheContentArea(_ device: String, _ position: SlotPosition, _ frame: Rect) {
    #expect(Samples.banner(device, position: position).slotFrame == frame)
  }

  @Test func movesTheSlotWithItsPage() {
    #expect(Samples.banner(scroll: 100).slotFrame == Rect(x: 36, y: 313, width: 320, height: 50))
    #expect(Samples.banner(scroll: -10.5).slotFrame == Rect(x: 36, y: 423.5, width: 320, height: 50))
  }

  @Test func startsASlotThatIsTooLargeAtTheCorner() {
    let frame = Samples.banner(size: Size(width: 728, height: 1000), position: .bottom).slotFrame
    #expect(frame == Rect(x: 0, y: 59, width: 728, height: 1000))
  }

  @Test func givesAnInterstitialTheContentArea() {
    let screen = Screen(device: Samples.device("iphone-15"))
    #expect(screen.slotFrame == nil)
    #expect(screen.adLayer(showing: "ad").frame == screen.contentArea)
  }

  @Test func countsPositionsFromTheContentArea() {
    let screen = Samples.banner()
    let geometry = screen.geometry(defaultFrame: screen.slotFrame, currentFrame: nil, orientationLocked: true)
    #expect(geometry.screenSize == Size(width: 393, height: 852))
    #expect(geometry.maxSize == Size(width: 393, height: 759))
    #expect(geometry.defaultPosition == Rect(x: 36, y: 354, width: 320, height: 50))
    #expect(geometry.currentPosition == Rect(x: 0, y: 0, width: 393, height: 759))
    #expect(geometry.orientation == .portrait)
    #expect(geometry.orientationLocked)
    #expect(screen.onScreen(geometry.defaultPosition) == screen.slotFrame)
  }

  @Test func hasBarsOnlyWhereTheSystemKeepsRoom() {
    #expect(Screen(device: Samples.device("iphone-15")).systemLayers.map(\.kind) == [.statusBar, .homeIndicator])
    #expect(Screen(device: Samples.device("iphone-se-3")).systemLayers.map(\.kind) == [.statusBar])
    #expect(
      Screen(device: Samples.device("iphone-15"), orientation: .landscape).systemLayers.map(\.kind)
        == [.homeIndicator])
    #expect(Screen(device: Samples.device("desktop")).systemLayers == [])
  }

  @Test(
    arguments: zip(
      ClosePosition.allCases,
      [(100, 200), (225, 200), (350, 200), (225, 300), (100, 400), (225, 400), (350, 400)]))
  func putsTheCloseRegionInsideTheFrame(_ position: ClosePosition, _ corner: (Double, Double)) {
    let region = Screen.closeRegion(of: Rect(x: 100, y: 200, width: 300, height: 250), position: position)
    #expect(region == Rect(x: corner.0, y: corner.1, width: 50, height: 50))
  }

  @Test func roundsCornerAndSizeOfAFrameToPixels() {
    let screen = Screen(device: Samples.device("iphone-15"))
    let frame = screen.pixelFrame(of: Rect(x: 36.5, y: 10.1, width: 320, height: 50.2))
    #expect(frame == PixelRect(x: 110, y: 30, width: 960, height: 151))
  }

  @Test func putsABrowsersViewBelowItsToolbar() {
    let layer = Screen(device: Samples.device("iphone-15")).browserLayer(showing: "web")
    #expect(layer.viewFrame == Rect(x: 0, y: 109, width: 393, height: 709))
    #expect(layer.viewPoint(Point(x: 10, y: 120)) == Point(x: 10, y: 11))
  }

  @Test func drawsACloseControlOnlyOnceTheCloseDelayIsOver() {
    let screen = Screen(device: Samples.device("iphone-15"))
    for (left, controls) in [(2.5, 0), (0.001, 0), (0, 1)] {
      let properties = InterstitialDisplayProperties(closeDelayLeft: left)
      let state = ModalState(kind: .interstitial, displayView: .player, properties: properties)
      #expect(screen.layers(slotView: nil, modals: [state]).count { $0.kind == .closeControl } == controls)
    }
  }
}

@Suite struct FeedPlacesTests {
  /// A feed with two ads, 1000 and 3000 dip down its page.
  private func screen(scroll: Double = 0, modals: [ModalState] = []) -> Screen {
    var screen = Screen(device: Samples.device("iphone-15"), scrollOffset: scroll)
    let slot = { (y: Double) in Rect(x: 46, y: y, width: 300, height: 250) }
    screen.feed = PlaceholderPlaces(view: "feed", slots: ["a": slot(1_000), "b": slot(3_000)], shown: ["a", "b"])
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
    let image = Compositor().compose(screen, views: Samples.images(for: screen, color: color))
    let frame = screen.pixelFrame(of: screen.contentArea)
    #expect(image[frame.x + 1, frame.y + 1] == color)
    #expect(image[frame.x + 1, frame.y - 1] != color)
    #expect(image[frame.maxX - 1, frame.maxY - 1] == color)
  }
}

@Suite("A viewport meta element")
struct ViewportTests {
  /// Size of a banner's slot.
  private static let slot = Size(width: 320, height: 50)

  @Test(
    "says how much a page is scaled in a view of 320 dip",
    arguments: [
      ("", 1), ("width=device-width", 1), ("width=device-width, initial-scale=1", 1), ("initial-scale=1.0", 1),
      ("width=320", 1), ("width=640", 0.5), ("width=160", 2), ("WIDTH = 640", 0.5), ("width=640px", 0.5),
      ("width=640;user-scalable=no", 0.5), ("width=640, initial-scale=0.5", 0.5), ("initial-scale=0.5", 0.5),
      ("width=device-width, initial-scale=.5", 1), ("width=160, initial-scale=1", 2),
      ("width=640, maximum-scale=0.4", 0.4), ("width=640, minimum-scale=0.8", 0.8), ("width=10000", 0.25),
      ("width=1", 5), ("initial-scale=2, maximum-scale=1", 1), ("minimum-scale=1, maximum-scale=1, width=640", 1),
      ("width=device-height", 5), ("height=50", 1), ("shrink-to-fit=no", 1),
    ] as [(String, Double)])
  func scale(content: String, scale: Double) {
    #expect(Viewport(content: content).scale(in: Self.slot) == scale)
  }

  @Test("of fixed width fills each view that it comes into")
  func growth() {
    let viewport = Viewport(content: "width=320")
    #expect(viewport.scale(in: Size(width: 400, height: 800)) == 1.25)
    #expect(viewport.scale(in: Size(width: 160, height: 800)) == 0.5)
  }

  @Test(
    "that makes no sense is none",
    arguments: [
      "width=-640", "width=nan", "width=inf", "width=0", "width=", "=640", "width", ",,;=", "initial-scale=-1",
      "width=1e400", "width=.", "initial-scale=0", "width=\u{0}640", "640", "width=＃", "width=٣٢٠",
    ])
  func nonsense(content: String) {
    let scale = Viewport(content: content).scale(in: Self.slot)
    #expect(scale == (content == "width=1e400" ? 5 : 1), "\(scale)")
  }

  @Test("is bounded, however large its numbers and small its view")
  func bounds() {
    let large = String(repeating: "9", count: 400)
    for content in ["width=\(large)", "initial-scale=\(large)", "width=1e308", "minimum-scale=\(large)"] {
      for view in [Size(width: 0, height: 0), Size(width: 1, height: 1), Size(width: 4096, height: 4096)] {
        #expect((0.1...10).contains(Viewport(content: content).scale(in: view)), "\(content.prefix(20)) \(view)")
      }
    }
    let long = String(repeating: "a=1,", count: 100_000) + "width=640"
    #expect(Viewport(content: long).scale(in: Self.slot) == 1)
  }
}
