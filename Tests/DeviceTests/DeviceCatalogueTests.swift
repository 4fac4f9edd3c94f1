import Core
import MRAID
import Testing

@testable import Device

@Suite struct DeviceCatalogueTests {
  let catalogue = DeviceCatalogue.standard

  @Test func holdsAtLeastTwentyDevicesWithUniqueNames() {
    #expect(catalogue.devices.count >= 20)
    #expect(Set(catalogue.devices.map { DeviceCatalogue.key($0.name) }).count == catalogue.devices.count)
  }

  @Test(arguments: DeviceCatalogue.standard.devices)
  func describesARealDevice(_ device: Device) {
    #expect(device.name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
    #expect((1...4).contains(device.scale))
    #expect(device.renderScale >= 1 && Double(device.renderScale) >= device.scale)
    #expect(!device.platform.isEmpty)
    #expect(device.userAgent.hasPrefix("Mozilla/5.0 ("))
    #expect(device.userAgent.contains("; wv)") == device.userAgent.contains("Android"))
    #expect(device.touch == !device.name.hasPrefix("desktop"))
    for orientation in AppOrientation.allCases {
      let screen = Screen(device: device, orientation: orientation)
      #expect(screen.bounds.contains(screen.contentArea))
      #expect(screen.contentArea.area > screen.bounds.area * 0.7)
    }
  }

  @Test func startsWithTheDefaultDevice() throws {
    let device = try #require(catalogue.device(named: DeviceCatalogue.defaultName))
    #expect(device.screen == Size(width: 393, height: 852))
    #expect(device.scale == 3)
    #expect(device.safeArea == Insets(top: 59, bottom: 34))
    #expect(device.safeAreaLandscape == Insets(left: 59, bottom: 21, right: 59))
  }

  @Test(arguments: [
    ("iphone-15", "iphone-15"), ("iPhone 15", "iphone-15"), ("IPHONE_15 Pro Max", "iphone-15-pro-max"),
    ("Apple iPhone SE 3", "iphone-se-3"), ("Samsung Galaxy S24 Ultra", "galaxy-s24-ultra"),
    ("google pixel 7", "pixel-7"),
  ])
  func findsNamesHoweverTheyAreWritten(_ written: String, _ name: String) {
    #expect(catalogue.device(named: written)?.name == name)
  }

  @Test(arguments: ["", "iphone", "iphone-150", "apple", "nokia-3310"])
  func findsNothingForOtherNames(_ name: String) {
    #expect(catalogue.device(named: name) == nil)
  }

  @Test func suggestsTheNearestNames() {
    #expect(catalogue.suggestions(for: "iphone-15-pro", limit: 2) == ["iphone-15", "iphone-15-pro-max"])
    #expect(catalogue.suggestions(for: "pixle 7").first == "pixel-7")
    #expect(catalogue.suggestions(for: "galaxy-s23", limit: 1) == ["galaxy-s23"])
    #expect(catalogue.suggestions(for: "iphone").count == 3)
    #expect(catalogue.suggestions(for: "nokia-3310") == [])
    #expect(catalogue.suggestions(for: "--") == [])
  }

  @Test func drawsFractionalScalesAtTheNextWholeNumber() {
    #expect(Samples.device("pixel-7").scale == 2.625)
    #expect(Samples.device("pixel-7").renderScale == 3)
    #expect(Samples.device("galaxy-s24-ultra").scale == 2.8125)
    #expect(Samples.device("desktop").renderScale == 1)
  }

  @Test func laysDesktopsAndStandsPhones() {
    #expect(Screen(device: Samples.device("desktop")).orientation == .landscape)
    #expect(Screen(device: Samples.device("desktop")).size == Size(width: 1280, height: 800))
    #expect(Screen(device: Samples.device("ipad-mini")).orientation == .portrait)
  }
}

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
    #expect(ScreenFormatError.sideOutOfRange(49).description == "a screen's sides must be from 50 to 4096 dip, not 49")
    #expect(ScreenFormatError.scaleOutOfRange(4.5).description == "a screen's scale must be from 1 to 4, not 4.5")
    #expect(ScreenFormatError.scaleOutOfRange(5).code == "screen-scale-invalid")
  }
}
