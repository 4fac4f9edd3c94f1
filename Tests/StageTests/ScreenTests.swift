import AdExperience
import MRAID
import Pixels
import Testing

@testable import Stage

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
