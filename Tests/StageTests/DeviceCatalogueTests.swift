import MRAID
import Testing

@testable import Stage

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
