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
    #expect(container.session.expandProperties == expected)
    #expect(effects == (expected.useCustomClose ? [.customClose(true)] : []))
  }

  @Test func expandPropertiesMergeOverCalls() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.setExpandProperties(["width": 100]))
    container.call(.setExpandProperties(["height": 200]))
    container.call(.useCustomClose(true))
    #expect(container.session.expandProperties == ExpandProperties(width: 100, height: 200, useCustomClose: true))
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
    #expect(container.session.expandProperties == ExpandProperties())
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
