import Core
import Testing

@testable import MRAID

@Suite struct StartUpTests {
  @Test func readyFollowsTheFirstStateChangeOnce() throws {
    var container = Container()
    let effects = container.send(.loaded(.one))
    #expect(effects.events() == [MRAIDEvent("stateChange", ["default"]), MRAIDEvent("ready")])
    #expect(container.send(.loaded(.one)) == [])
    #expect(container.session.lastTransition == MRAIDTransition(from: .loading, to: .default, cause: "ready"))
  }

  @Test func readyComesWithEveryPropertyTheHostOwns() throws {
    var container = Container()
    let properties = try #require(container.send(.loaded(.one)).updates().first?.properties)
    #expect(Set(properties.keys) == Set(container.session.initialProperties.keys).subtracting(AdSettings.names))
    #expect(properties["state"] == "default")
  }

  @Test func initialPropertiesAreLoadingAndNotViewable() throws {
    var container = Container(exposure: Container.full)
    container.send(.loaded(.one))
    let properties = container.session.initialProperties
    #expect(properties["state"] == "loading")
    #expect(properties["isViewable"] == false)
    #expect(properties["placementType"] == "inline")
    #expect(properties["version"] == "3.0")
    #expect(properties["location"]?["lat"] == 1)
    #expect(properties["expandProperties"] == ["useCustomClose": false])
    #expect(properties["resizeProperties"] == .null)
    #expect(properties["orientationProperties"] == ["allowOrientationChange": true, "forceOrientation": "none"])
    #expect(properties["volume"] == 100)
  }

  @Test func supportsTellsEveryKnownFeature() {
    let container = Container(supports: ["tel"])
    let supports = container.session.initialProperties["supports"]?.object
    #expect(supports?.keys.sorted() == HostProfile.features.sorted())
    #expect(supports?.filter { $0.value == true }.keys.sorted() == ["tel"])
    #expect(container.session.initialProperties["location"] == -1)
  }

  @Test func anAdThatIsOnScreenBecomesViewableAfterReady() {
    var container = Container(exposure: Container.full)
    let updates = container.send(.loaded(.one)).updates()
    #expect(updates.count == 2)
    #expect(updates[0].properties["isViewable"] == false)
    #expect(updates[1].events.map(\.name) == ["exposureChange", "viewableChange"])
    #expect(updates[1].properties == ["isViewable": true])
    #expect(container.session.isViewable)
  }

  @Test func nothingIsToldBeforeReady() {
    var container = Container()
    #expect(container.send(.exposureChanged(Container.full, at: 1)) == [])
    #expect(container.send(.volumeChanged(5)) == [])
    #expect(
      container.send(.geometryChanged(Container.geometry(.inline, at: Rect(x: 0, y: 0, width: 9, height: 9)), .none))
        == [])
    #expect(!container.session.isViewable)
    let update = container.send(.loaded(.one)).updates().first
    #expect(update?.properties["currentPosition"]?["width"] == 9)
    #expect(update?.properties["volume"] == 5)
  }

  static let setters: [(MRAIDCommand, String)] = [
    (.setExpandProperties(["width": 100]), "expandProperties"), (.useCustomClose(true), "expandProperties"),
    (.setOrientationProperties(["forceOrientation": "portrait"]), "orientationProperties"),
    (.setResizeProperties(Container.valid), "resizeProperties"),
  ]

  @Test(arguments: setters)
  func propertiesSetBeforeReadyAreKeptAndReported(_ command: MRAIDCommand, _ key: String) {
    var container = Container()
    let before = container.session.initialProperties[key]
    #expect(container.call(command).first == .premature(command))
    #expect(container.session.initialProperties[key] != before)
    #expect(container.send(.loaded(.one)).updates().first?.properties[key] == nil)
  }

  @Test func badResizePropertiesBeforeReadyAreUnsetWithoutError() {
    var container = Container()
    #expect(container.call(.setResizeProperties([:])) == [.premature(.setResizeProperties([:]))])
    let updates = container.send(.loaded(.one)).updates()
    #expect(updates.first?.properties["resizeProperties"] == .null)
  }

  @Test func anInterstitialsEarlyOrientationIsAppliedAtReady() {
    var container = Container(.interstitial)
    let wish: JSONValue = ["forceOrientation": "landscape"]
    #expect(container.call(.setOrientationProperties(wish)) == [.premature(.setOrientationProperties(wish))])
    let landscape = OrientationProperties(forceOrientation: .landscape)
    #expect(container.send(.loaded(.one)).last == .orientation(landscape))
  }

  @Test(arguments: ["addEventListener", "removeEventListener"])
  func listenerMisuseIsAnsweredEvenBeforeReady(_ action: String) {
    var container = Container()
    let effects = container.call(.misuse(action: action, message: "unknown event x"))
    #expect(effects.events() == [MRAIDEvent("error", ["unknown event x", .string(action)])])
    #expect(effects.updates().first?.properties == [:])
  }

  @Test(arguments: ["exposureChange", "audioVolumeChange"])
  func valuesAskedForBeforeReadyComeAfterIt(_ event: String) {
    var container = Container()
    #expect(container.call(.addEventListener(event)) == [])
    #expect(container.send(.loaded(.one)).names() == ["stateChange", "ready", event])
  }
}
