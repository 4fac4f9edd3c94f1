import Core
import Testing

@testable import MRAID

@Suite struct PropertyTests {
  static let expandCases: [(JSONValue, ExpandProperties)] = [
    ([:], ExpandProperties()), (["width": 100], ExpandProperties(width: 100)),
    (["width": 100, "height": 200], ExpandProperties(width: 100, height: 200)),
    (["useCustomClose": true], ExpandProperties(useCustomClose: true)), (["isModal": false], ExpandProperties()),
    (["width": "100", "height": 0], ExpandProperties()), (["width": -4, "useCustomClose": 1], ExpandProperties()),
    (["width": nil], ExpandProperties()), (["unknown": 1, "height": 2.5], ExpandProperties(height: 2.5)),
  ]

  @Test(arguments: expandCases)
  func expandPropertiesTakeOverWhatIsValid(_ given: JSONValue, _ expected: ExpandProperties) throws {
    var container = try #require(Container(.inline, in: .default))
    let effects = container.call(.setExpandProperties(given))
    #expect(container.session.settings.expand == expected)
    #expect(effects == (expected.useCustomClose ? [.customClose(true)] : []))
  }

  @Test func expandPropertiesMergeOverCalls() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.setExpandProperties(["width": 100]))
    container.call(.setExpandProperties(["height": 200]))
    container.call(.useCustomClose(true))
    #expect(container.session.settings.expand == ExpandProperties(width: 100, height: 200, useCustomClose: true))
  }

  @Test func unsetSizesReadAsFullScreen() {
    #expect(ExpandProperties().size(in: Container.maxSize) == Container.maxSize)
    #expect(ExpandProperties(width: 10).size(in: Container.maxSize) == Size(width: 10, height: 759))
  }

  @Test func expandPropertiesAreFixedOnceExpanded() throws {
    var container = try #require(Container(.inline, in: .expanded))
    let command = MRAIDCommand.setExpandProperties(["width": 100])
    let effects = container.call(command)
    #expect(effects.ignored == [command])
    #expect(effects.updates().first?.properties == ["expandProperties": ["useCustomClose": false]])
    #expect(container.session.settings.expand == ExpandProperties())
  }

  @Test(arguments: [true, false])
  func useCustomCloseIsHandedOnEveryTime(_ value: Bool) throws {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.call(.useCustomClose(value)) == [.customClose(value)])
    #expect(container.call(.useCustomClose(value)) == [.customClose(value)])
  }

  static let landscape = OrientationProperties(forceOrientation: .landscape)
  static let setLandscape = MRAIDCommand.setOrientationProperties(["forceOrientation": "landscape"])

  @Test func aBannersOrientationIsRememberedUntilItExpands() throws {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.call(Self.setLandscape) == [])
    #expect(container.call(.expand(url: nil)) == [.orientation(Self.landscape), .present(.expanded(url: nil))])
    container.present()
    #expect(container.call(.close) == [.orientation(OrientationProperties()), .present(.default)])
    container.present()
    #expect(container.session.orientationProperties == Self.landscape)
  }

  @Test func anExpandedAdsOrientationIsAppliedAtOnceAndOnlyWhenNew() throws {
    var container = try #require(Container(.inline, in: .expanded))
    #expect(container.call(Self.setLandscape) == [.orientation(Self.landscape)])
    #expect(container.call(Self.setLandscape) == [])
  }

  @Test func anInterstitialsOrientationIsAppliedAtOnce() throws {
    var container = try #require(Container(.interstitial, in: .default))
    #expect(container.call(Self.setLandscape) == [.orientation(Self.landscape)])
    #expect(container.call(.close) == [.orientation(OrientationProperties()), .present(.hidden)])
  }

  @Test func aResizedAdsOrientationIsNotHeard() throws {
    var container = try #require(Container(.inline, in: .resized))
    #expect(container.call(Self.setLandscape) == [])
  }

  @Test func aFailedExpandTakesTheOrientationBack() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(Self.setLandscape)
    container.call(.expand(url: nil))
    #expect(container.send(.presentationFailed("no")).first == .orientation(OrientationProperties()))
  }

  static let orientationCases: [(JSONValue, OrientationProperties)] = [
    ([:], OrientationProperties()),
    (["forceOrientation": "portrait"], OrientationProperties(forceOrientation: .portrait)),
    (["forceOrientation": "sideways"], OrientationProperties()), (["forceOrientation": 1], OrientationProperties()),
    (["allowOrientationChange": false], OrientationProperties(allowOrientationChange: false)),
    (["allowOrientationChange": "false"], OrientationProperties()),
  ]

  @Test(arguments: orientationCases)
  func orientationPropertiesTakeOverWhatIsValid(_ given: JSONValue, _ expected: OrientationProperties) throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.setOrientationProperties(given))
    #expect(container.session.orientationProperties == expected)
  }
}

/// Numbers of a page's that end careless hosts.
@Suite struct NumberTests {
  static let hostile: [Double] = [
    .nan, .infinity, -.infinity, 1e308, -1e308, 2_147_483_647, 2_147_483_649, -2_147_483_649, 9_007_199_254_740_994,
    -0.0, 0, 49.5, 30_000, 1e19,
  ]

  @Test(arguments: hostile, ["width", "height", "offsetX", "offsetY"])
  func `no resize is ever shown beyond what a device lays out`(number: Double, member: String) throws {
    for isOffscreen in [true, false] {
      var properties = try #require(Container.valid.object)
      properties[member] = .number(number)
      properties["allowOffscreen"] = .bool(isOffscreen)
      var container = try #require(Container(.inline, in: .default))
      let effects =
        container.call(.setResizeProperties(.object(properties))) + container.call(.resize)
      for case .present(.resized(let frame, _)) in effects {
        #expect(frame.width <= ResizeProperties.longestSide && frame.height <= ResizeProperties.longestSide)
        #expect(frame.area <= ResizeProperties.largestArea)
        #expect(abs(frame.x) < 200_000 && abs(frame.y) < 200_000)
      }
      container.send(.presentationFailed("over"))
    }
  }

  @Test func `a resize beyond reach is refused with an error that says so`() throws {
    var container = try #require(Container(.inline, in: .default))
    let far: JSONValue = ["width": 3_000_000_000, "height": 50, "offsetX": -2_999_999_680, "offsetY": 0]
    let effects = container.call(.setResizeProperties(far))
    let told = effects.compactMap { if case .deliver(let update, _) = $0 { update.events } else { nil } }.joined()
    #expect(
      told.first { $0.name == "error" }?.arguments.first
        == "3000000000x50 at -2999999644,354 is beyond what a device can lay out")
    #expect(container.session.settings.resize == nil)
  }

  @Test(arguments: hostile)
  func `every call may carry such a number`(number: Double) throws {
    let value = JSONValue.number(number)
    let object: JSONValue = [
      "width": value, "height": value, "offsetX": value, "offsetY": value, "useCustomClose": value,
      "forceOrientation": value, "allowOrientationChange": value, "start": value,
    ]
    var container = try #require(Container(.inline, in: .default))
    for name in [
      "expand", "resize", "close", "open", "playVideo", "storePicture", "useCustomClose", "setResizeProperties",
      "setExpandProperties", "setOrientationProperties", "createCalendarEvent", "addEventListener",
    ] {
      for argument in [value, object] {
        guard let command = BridgeCall(name: name, arguments: [argument]).command else { continue }
        container.call(command)
        container.send(.presentationFailed("over"))
      }
    }
    container.send(.volumeChanged(number))
    container.send(.exposureDue(at: number))
    #expect(container.session.state == .default)
    #expect(object.text.contains(number.isFinite ? "width" : "null"))
  }
}
