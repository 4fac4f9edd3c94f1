import MRAID
import Testing

@testable import Stage

@Suite struct CustomScreenTests {
  @Test func readsSizeAndScale() throws {
    let device = try Device.custom(screen: "390x844@3")
    #expect(device.name == "390x844@3")
    #expect(device.screen == Size(width: 390, height: 844))
    #expect(device.scale == 3)
    #expect(device.safeArea == .zero)
    #expect(device.safeAreaLandscape == .zero)
    #expect(device.touch)
    #expect(device.userAgent.contains("iPhone"))
  }

  @Test func takesFractionalScalesAndNoneAtAll() throws {
    #expect(try Device.custom(screen: "412X915@2.625").renderScale == 3)
    #expect(try Device.custom(screen: "412x915@2.625").name == "412x915@2.625")
    #expect(try Device.custom(screen: "50×4096").name == "50x4096@1")
    #expect(Screen(device: try Device.custom(screen: "800x600@1")).orientation == .landscape)
  }

  @Test(arguments: [
    "", "x", "@", "390", "390x", "x844", "390x844x3", "390x844@", "390x844@3@2", "390x844@3.", "390x844@.5",
    "-390x844@3", "+390x844", "390.5x844", "390x844@3.5.1", "390x844@nan", "0x1F4x844", "1e3x844", "390 x 844",
    "390x844@3x", "٣٩٠x844",
  ])
  func refusesWhatIsNoScreen(_ text: String) {
    #expect(throws: ScreenFormatError.malformed(text)) { try Device.custom(screen: text) }
  }

  @Test(arguments: [("49x844@3", 49.0), ("390x4097@3", 4097), ("0x844", 0), ("99999999999999999999x844", 1e20)])
  func refusesSidesOutOfRange(_ text: String, _ side: Double) {
    #expect(throws: ScreenFormatError.sideOutOfRange(side)) { try Device.custom(screen: text) }
  }

  @Test(arguments: [("390x844@0", 0.0), ("390x844@0.99", 0.99), ("390x844@4.1", 4.1)])
  func refusesScalesOutOfRange(_ text: String, _ scale: Double) {
    #expect(throws: ScreenFormatError.scaleOutOfRange(scale)) { try Device.custom(screen: text) }
  }

  @Test func refusesMorePixelsThanAScreenshotMayHave() throws {
    #expect(throws: ScreenFormatError.tooManyPixels(150_994_944)) { try Device.custom(screen: "4096x4096@2.5") }
    #expect(try Device.custom(screen: "4096x4096@2").renderScale == 2)
  }

  @Test func saysHowToWriteIt() {
    #expect(ScreenFormatError.malformed("big").description.contains("390x844@3"))
    #expect(ScreenFormatError.sideOutOfRange(49).description == "a screen's sides are 50 to 4096 dip, not 49")
    #expect(ScreenFormatError.scaleOutOfRange(4.5).description == "a screen's scale is 1 to 4, not 4.5")
    #expect(ScreenFormatError.scaleOutOfRange(5).code == "screen-scale")
  }
}
