import Core
import MRAID
import Pixels
import Testing

@testable import Device

@Suite struct CompositorTests {
  private func compose(_ screen: Screen) -> Bitmap {
    Compositor().compose(screen, views: Samples.images(for: screen))
  }

  @Test(arguments: [
    ("iphone-15", 1179, 2556), ("iphone-se-3", 750, 1334), ("pixel-7", 1236, 2745), ("desktop", 1280, 800),
    ("desktop-retina", 2880, 1800),
  ])
  func drawsTheWholeScreenAtTheRenderScale(_ device: String, _ width: Int, _ height: Int) {
    let image = compose(Samples.banner(device))
    #expect((image.width, image.height) == (width, height))
    #expect(image.isOpaque)
  }

  @Test func turnsWithTheDevice() {
    let image = compose(Samples.banner().rotated(to: .landscape))
    #expect((image.width, image.height) == (2556, 1179))
  }

  @Test func putsTheBannerExactlyIntoItsSlot() {
    let image = compose(Samples.banner())
    let (left, top, right, bottom) = (108, 1239, 1067, 1388)
    for (x, y) in [(left, top), (right, top), (left, bottom), (right, bottom)] {
      #expect(image[x, y] == Samples.adColor)
    }
    for (x, y) in [(left - 1, top), (right + 1, top), (left, top - 1), (left, bottom + 1)] {
      #expect(image[x, y] == Palette.page)
    }
    #expect(image.pixels.count { $0 == Samples.adColor.premultiplied } == 960 * 150)
  }

  @Test func cutsAScrolledBannerAtTheStatusBar() {
    let image = compose(Samples.banner(scroll: 379))
    #expect(image[540, 176] == Palette.hairline)
    #expect(image[540, 150] == Palette.chrome)
    #expect(image[540, 177] == Samples.adColor)
    #expect(image[540, 251] == Samples.adColor)
    #expect(image[540, 252] == Palette.page)
  }

  @Test func keepsAnEmptySlotWhileTheAdIsAway() {
    var screen = Samples.banner()
    screen.layers.remove(at: 1)
    #expect(compose(screen)[600, 1300] == Palette.slot)
    #expect(Compositor().compose(Samples.banner(), views: [:])[600, 1300] == Palette.slot)
  }

  @Test func showsTheSlotThroughATransparentAd() {
    var screen = Samples.banner()
    screen.layers[1].isOpaque = false
    let clear = Samples.images(for: screen, color: .clear)
    #expect(Compositor().compose(screen, views: clear)[600, 1300] == Palette.slot)
  }

  @Test func cutsAPictureThatIsLargerThanItsFrame() {
    let image = Compositor().compose(
      Samples.banner(), views: ["ad": Bitmap(width: 970, height: 160, fill: Samples.adColor)])
    #expect(image.pixels.count { $0 == Samples.adColor.premultiplied } == 960 * 150)
  }

  @Test func stretchesAPictureThatIsAPixelShort() {
    let image = Compositor().compose(
      Samples.banner(), views: ["ad": Bitmap(width: 959, height: 149, fill: Samples.adColor)])
    #expect(image.pixels.count { $0 == Samples.adColor.premultiplied } == 960 * 150)
  }

  @Test func darkensAllAroundAnExpandedAd() {
    let image = compose(Samples.expanded())
    let dimmed = Color(rgb: 0x31_3232)
    #expect(image[5, 5] == dimmed)
    #expect(image[5, 2550] == dimmed)
    #expect(image[0, 177] == Samples.adColor)
    #expect(image[1178, 2453] == Samples.adColor)
    #expect(image[0, 176] == dimmed)
  }

  @Test func drawsTheCloseControlInTheMiddleOfItsRegion() {
    let screen = Samples.expanded()
    let white = Samples.images(for: screen, color: .white)
    let image = Compositor().compose(screen, views: white)
    // The region is (343, 59, 50, 50) dip, so its middle is (1104, 252) in pixels.
    #expect(image[1104, 252] == .white)
    #expect(image[1104, 222] == Color(rgb: 0x69_6969))
    #expect(image[1104 - 48, 252] == .white)
    #expect(image[1030, 178] == .white)
  }

  @Test func drawsABrowsersToolbarAboveItsView() {
    let image = compose(Samples.browser())
    #expect(image[10, 200] == Palette.chrome)
    #expect(image[10, 326] == Palette.hairline)
    #expect(image[10, 327] == Samples.adColor)
  }

  @Test func showsNothingOfTheAppInTheBackground() {
    var screen = Samples.banner()
    screen.isForeground = false
    let image = compose(screen)
    #expect(!image.pixels.contains(Samples.adColor.premultiplied))
    #expect(image[2, 2] == Palette.wallpaper)
  }

  @Test(arguments: [
    Samples.banner(), Samples.banner(scroll: 390), Samples.banner("pixel-7"), Samples.expanded(), Samples.browser(),
    Samples.resized(to: Rect(x: -20.3, y: 300.7, width: 300.2, height: 250.1)),
    Samples.banner("ipad-mini", scroll: -90),
  ])
  func leavesOutOnlyWhatWouldBeCovered(_ screen: Screen) {
    var thorough = screen
    for index in thorough.layers.indices { thorough.layers[index].isOpaque = false }
    #expect(compose(screen) == compose(thorough))
  }

  @Test func drawsWhatAPictureStillOfTheOldSizeDoesNotCover() {
    let screen = Samples.expanded()
    let stale = ["ad" as ViewID: Bitmap(width: 600, height: 900, fill: Samples.adColor)]
    var thorough = screen
    for index in thorough.layers.indices { thorough.layers[index].isOpaque = false }
    #expect(Compositor().compose(screen, views: stale) == Compositor().compose(thorough, views: stale))
    #expect(Compositor().compose(screen, views: stale)[900, 2000] != Palette.page)
  }

  @Test(arguments: [1e5, 1e9, 1e18, -1e18, .infinity, .nan])
  func drawsAPageHoweverFarItIsScrolled(_ scroll: Double) {
    let image = compose(Samples.banner("iphone-se-3", scroll: scroll))
    #expect((image.width, image.height) == (750, 1334))
  }

  @Test(arguments: SlotPosition.allCases)
  func fillsThePageAroundTheSlotWithoutTouchingIt(_ position: SlotPosition) {
    for device in DeviceCatalogue.standard.devices {
      let screen = Samples.banner(device.name, size: Size(width: 300, height: 250), position: position)
      let layout = PlaceholderPage(bounds: screen.bounds, area: screen.contentArea, slot: screen.slotFrame)
      let shapes = layout.shapes(from: 0, to: 3000).filter { $0.role != .slot }
      #expect(shapes.count > 10)
      #expect(shapes.allSatisfy { $0.rect.intersection(screen.slotFrame!) == nil })
    }
  }
}
