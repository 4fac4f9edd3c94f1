import Core
import Testing

@testable import MRAID

@Suite struct TransitionTests {
  static let covering = Exposure(
    exposedPercentage: 100, visibleRectangle: Rect(origin: .zero, size: Container.maxSize))

  @Test func expandDeliversEverythingAtOnceInTheStandardsOrder() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    let effects = container.present(Self.covering)
    let update = try #require(effects.updates().first)
    #expect(effects.count == 1)
    #expect(update.events.map(\.name) == ["sizeChange", "exposureChange", "viewableChange", "stateChange"])
    #expect(update.events[0].arguments == [393, 759])
    #expect(update.events[1].arguments == [100, ["x": 0, "y": 0, "width": 393, "height": 759], nil])
    #expect(update.events[2].arguments == [true])
    #expect(update.events[3].arguments == ["expanded"])
    #expect(update.properties["state"] == "expanded")
    #expect(update.properties["isViewable"] == true)
    #expect(update.properties["currentPosition"] == ["x": 0, "y": 0, "width": 393, "height": 759])
    #expect(Set(update.properties.keys) == ["state", "isViewable", "currentPosition"])
  }

  @Test func closeGoesBackToTheDefaultPosition() throws {
    var container = try #require(Container(.inline, in: .expanded))
    container.call(.close)
    let update = try #require(container.present().updates().first)
    #expect(update.events == [MRAIDEvent("sizeChange", [320, 50]), MRAIDEvent("stateChange", ["default"])])
    #expect(update.properties["currentPosition"] == Container.slot.json)
  }

  @Test func onlyWhatChangedIsTold() throws {
    var container = try #require(Container(.interstitial, in: .default))
    container.call(.close)
    let update = try #require(container.present().updates().first)
    #expect(update == BridgeUpdate(properties: ["state": "hidden"], events: [MRAIDEvent("stateChange", ["hidden"])]))
  }

  @Test func resizedToResizedFiresStateChangeAgain() throws {
    var container = try #require(Container(.inline, in: .resized))
    container.call(.resize)
    #expect(container.present().events() == [MRAIDEvent("stateChange", ["resized"])])
  }

  @Test func closeFromExpandedAfterResizedGoesToDefault() throws {
    var container = try #require(Container(.inline, in: .resized))
    container.call(.expand(url: nil))
    container.present()
    #expect(container.call(.close).presentations == [.default])
    container.present()
    #expect(container.session.state == .default)
  }

  @Test func hidingAnInterstitialTellsItIsNoLongerViewable() throws {
    var container = Container(.interstitial, exposure: Container.full)
    container.send(.loaded(.one))
    container.call(.close)
    let names = container.present(Exposure.none).names()
    #expect(names == ["exposureChange", "viewableChange", "stateChange"])
    #expect(!container.session.isViewable)
  }

  @Test func expandThenCloseInOneTurnPassesThroughBoth() throws {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.call(.expand(url: nil)).presentations == [.expanded(url: nil)])
    #expect(container.call(.close) == [])
    let first = container.present()
    #expect(first.names() == ["sizeChange", "stateChange"])
    #expect(first.presentations == [.default])
    #expect(container.present().events().last == MRAIDEvent("stateChange", ["default"]))
    #expect(container.session.state == .default)
  }

  @Test func aHostCloseWaitsToo() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    #expect(container.send(.hostClose) == [])
    #expect(container.present().presentations == [.default])
    container.present()
    #expect(container.session.lastTransition == MRAIDTransition(from: .expanded, to: .default, cause: "hostClose"))
  }

  @Test func whatWaitedRunsInOrderUntilTheNextTransition() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    container.call(.open(url: "https://a.example/1"))
    container.call(.close)
    container.call(.open(url: "https://a.example/2"))
    let first = container.present()
    #expect(first.suffix(2) == [.open("https://a.example/1", gesture: false), .present(.default)])
    #expect(container.present().last == .open("https://a.example/2", gesture: false))
  }

  @Test func whatWaitedRunsAfterAFailureToo() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    container.call(.resize)
    let effects = container.send(.presentationFailed("no"))
    #expect(effects.errors() == ["expand", "resize"])
  }

  @Test func expandTwiceInOneTurnIsIgnoredTheSecondTime() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    container.call(.expand(url: nil))
    #expect(container.present().ignored == [.expand(url: nil)])
  }

  @Test func unloadWaitsForItsTurnAndEndsWhatFollows() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    #expect(container.call(.unload) == [])
    container.call(.close)
    let effects = container.present()
    #expect(effects.suffix(2) == [.unload, .ignored(.close, reason: "the ad is unloaded")])
    #expect(!container.session.isTransitioning)
  }

  @Test func endlessCallsDuringATransitionAreBounded() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    for _ in 0..<MRAIDSession.queueLimit { #expect(container.call(.resize) == []) }
    #expect(container.call(.resize).ignored == [.resize])
  }

  @Test func theScreensChangesDuringATransitionComeWithItsEnd() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    let moved = Container.geometry(.inline, at: Rect(x: 0, y: 0, width: 1, height: 1))
    #expect(container.send(.geometryChanged(moved, Container.full)) == [])
    #expect(container.send(.exposureChanged(Container.full, at: 1)) == [])
    #expect(container.session.geometry == Container.geometry(.inline))
    #expect(container.present(Exposure.none).names() == ["sizeChange", "stateChange"])
  }

  @Test func theScreensChangesDuringAFailedTransitionAreTold() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.expand(url: nil))
    let moved = Container.geometry(.inline, at: Rect(x: 0, y: 0, width: 300, height: 250))
    container.send(.geometryChanged(moved, .none))
    container.send(.exposureChanged(Container.full, at: 1))
    let effects = container.send(.presentationFailed("no"))
    #expect(effects.names() == ["error", "sizeChange", "exposureChange", "viewableChange"])
  }

  @Test func answersWithoutAQuestionChangeNoState() throws {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.send(.presented(Container.geometry(.inline), .none)) == [])
    #expect(container.send(.presentationFailed("late")) == [])
    #expect(container.session.state == .default)
  }

  @Test func expandWithAnEmptyURLIsOnePart() throws {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.call(.expand(url: "  ")).presentations == [.expanded(url: nil)])
  }

  @Test(arguments: ["javascript:alert(1)", "about:blank", "mraid://x"])
  func expandToWhatIsNoPageIsAnError(_ url: String) throws {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.call(.expand(url: url)).errors() == ["expand"])
  }

  @Test func rotationTellsSizesAndExposureAtOnce() throws {
    var container = try #require(Container(.inline, in: .default))
    let turned = HostGeometry(
      screenSize: Size(width: 852, height: 393), maxSize: Size(width: 759, height: 393),
      defaultPosition: Rect(x: 200, y: 300, width: 320, height: 50),
      currentPosition: Rect(x: 200, y: 300, width: 320, height: 50), orientation: .landscape)
    let effects = container.send(.geometryChanged(turned, Container.full))
    let update = try #require(effects.updates().first)
    #expect(update.events.map(\.name) == ["exposureChange", "viewableChange"])
    #expect(
      Set(update.properties.keys) == [
        "screenSize", "maxSize", "defaultPosition", "currentPosition", "appOrientation", "isViewable",
      ])
    #expect(update.properties["appOrientation"] == ["orientation": "landscape", "locked": false])
  }

  @Test func scrollingTellsThePositionWithoutSizeChange() throws {
    var container = try #require(Container(.inline, in: .default))
    let effects = container.send(
      .geometryChanged(Container.geometry(.inline, at: Container.slot.offset(x: 0, y: -9)), .none))
    #expect(effects.names() == [])
    #expect(effects.updates().first?.properties["currentPosition"]?["y"] == 345)
  }
}
