import Core
import Testing

@testable import MRAID

/// Each departure from the standard, one at a time.
@Suite struct ContainerBehaviourTests {
  /// A container that is ready and departs in this alone.
  private func departing(
    _ what: ContainerDifference.What, _ value: JSONValue, placement: PlacementType = .inline, exposure: Exposure = .none
  ) throws -> Container {
    var container = Container(placement, exposure: exposure, behaviour: try Self.behaviour(what, value))
    container.send(.loaded(.one))
    return container
  }

  static func behaviour(_ what: ContainerDifference.What, _ value: JSONValue) throws -> ContainerBehaviour {
    let difference = ContainerDifference(
      what: what, value: value, note: "", source: "https://example.com/", date: "2026-01-31")
    return try ContainerProfile(name: "one", title: "One", differences: [difference]).behaviour
  }

  @Test func silentEventsAreNeverToldNotEvenToANewListener() throws {
    var container = try departing(.silentEvents, ["exposureChange"], exposure: Container.full)
    #expect(container.session.isViewable)
    #expect(container.call(.addEventListener("exposureChange")).names() == [])
    container.send(.exposureChanged(.none, at: 900))
    #expect(container.send(.exposureDue(at: 1200)).names() == ["viewableChange"])
  }

  @Test func theOrderOfADeliveryLeavesOtherEventsWhereTheyAre() throws {
    var container = try departing(.eventOrder, ["stateChange", "viewableChange", "exposureChange"])
    container.call(.expand(url: nil))
    let names = container.present(Container.full).names()
    #expect(names == ["sizeChange", "stateChange", "viewableChange", "exposureChange"])
  }

  @Test func startUpKeepsItsOrderWhenReadyIsNotNamed() throws {
    var fresh = Container(behaviour: try Self.behaviour(.eventOrder, ["sizeChange", "stateChange"]))
    #expect(fresh.send(.loaded(.one)).names() == ["stateChange", "ready"])
  }

  @Test func aListenerMayGoUnanswered() throws {
    var container = try departing(.answersListeners, false, exposure: Container.full)
    #expect(container.call(.addEventListener("exposureChange")).names() == [])
    #expect(container.call(.addEventListener("audioVolumeChange")).names() == [])
    #expect(container.send(.volumeChanged(3)).names() == ["audioVolumeChange"])
  }

  @Test func sizeChangeMayCountTheDevicesPixels() throws {
    var container = try departing(.sizeChangeUnit, "physical")
    container.call(.expand(url: nil))
    let event = container.present().events().first
    #expect(event == MRAIDEvent("sizeChange", [.number(393 * 3), .number(759 * 3)]))
    #expect(container.session.geometry.currentPosition.size == Container.maxSize)
  }

  @Test func theSecondPartMayHearItsStateBeforeReady() throws {
    var container = try departing(.tellsStateBeforeReady, true)
    container.call(.expand(url: "two.html"))
    container.present()
    #expect(container.send(.loaded(.two)).names(.two).prefix(2) == ["stateChange", "ready"])
  }

  @Test func allowOrientationChangeMayBeIgnored() throws {
    var container = try departing(.locksOrientation, false, placement: .interstitial)
    let wish: JSONValue = ["allowOrientationChange": false, "forceOrientation": "landscape"]
    let effects = container.call(.setOrientationProperties(wish))
    let heard = effects.compactMap { if case .orientation(let properties) = $0 { properties } else { nil } }
    #expect(heard == [OrientationProperties(allowOrientationChange: true, forceOrientation: .landscape)])
  }

  @Test func resizeMayNeedAllowOffscreen() throws {
    var container = try departing(.resizeNeedsAllowOffscreen, true)
    #expect(container.call(.setResizeProperties(Container.valid)).errors() == ["setResizeProperties"])
    #expect(container.call(.resize).errors() == ["resize"])
    #expect(container.call(.setResizeProperties(Self.valid(offscreen: true))).errors() == [])
    container.call(.resize)
    #expect(container.asked != nil)
  }

  @Test func resizeMayBeBoundThoughOffscreenIsAllowed() throws {
    let large: JSONValue = ["width": 400, "height": 250, "offsetX": -50, "offsetY": 0, "allowOffscreen": true]
    var standard = try #require(Container(.inline, in: .default))
    #expect(standard.call(.setResizeProperties(large)).errors() == [])
    var container = try departing(.resizeBoundsOffscreen, true)
    #expect(container.call(.setResizeProperties(large)).errors() == ["setResizeProperties"])
  }

  @Test func theCloseRegionMayBeLookedForByResizeAlone() throws {
    var container = try departing(.resizeChecksRegionEarly, false)
    #expect(container.call(.setResizeProperties(Self.outside)).errors() == [])
    #expect(container.call(.resize).errors() == ["resize"])
  }

  @Test func theCloseRegionMayBeAnywhereWhenOffscreenIsAllowed() throws {
    var container = try departing(.resizeChecksRegionOffscreen, false)
    #expect(container.call(.setResizeProperties(Self.outside)).errors() == [])
    #expect(container.call(.resize).presentations.count == 1)
  }

  @Test(arguments: [(false, ClosePosition.topRight), (true, .bottomLeft)])
  func theCloseRegionMayBeWhereTheAdWishesIt(departs: Bool, position: ClosePosition) throws {
    var container = try departing(.resizePlacesCloseRegion, .bool(departs))
    // Half of it is right of the screen, where top-right is.
    let half: JSONValue = [
      "width": 300, "height": 250, "offsetX": 200, "offsetY": 0, "customClosePosition": "bottom-left",
    ]
    #expect(container.call(.setResizeProperties(half)).errors() == (departs ? [] : ["setResizeProperties"]))
    let whole: JSONValue = [
      "width": 300, "height": 250, "offsetX": 0, "offsetY": 0, "customClosePosition": "bottom-left",
    ]
    container.call(.setResizeProperties(whole))
    let frame = Rect(x: 36, y: 354, width: 300, height: 250)
    #expect(container.call(.resize).presentations == [.resized(frame: frame, closePosition: position)])
  }

  @Test func openMayWantATouch() throws {
    var container = try departing(.openNeedsGesture, true)
    let url = "https://a.example/"
    let refused = container.send(.command(.open(url: url), from: .one, gesture: false))
    let reason = "this container opens an address only just after a touch"
    #expect(refused == [.ignored(.open(url: url), reason: reason)])
    #expect(container.send(.command(.open(url: url), from: .one, gesture: true)) == [.open(url, gesture: true)])
    // What is wrong with a link is told whoever asks.
    #expect(container.send(.command(.open(url: ""), from: .one, gesture: false)).errors() == ["open"])
  }

  @Test func theCloseControlMayCome() throws {
    #expect(try Self.behaviour(.closeDelay, 5).closeDelay == 5)
    #expect(ContainerBehaviour.spec.closeDelay == 0)
    for value: JSONValue in [-1, 61, "5"] {
      #expect(throws: ContainerProblem.value(.closeDelay, needs: "0 to 60 seconds")) {
        try Self.behaviour(.closeDelay, value)
      }
    }
  }

  @Test func aWrongChoiceNamesTheRightOnes() throws {
    #expect(throws: ContainerProblem.value(.placement, needs: "one of inline, interstitial, not \"half\"")) {
      try Self.behaviour(.placement, "half")
    }
    let value: JSONValue = [["kind": "function", "name": "begin", "when": ["never"]]]
    #expect(throws: ContainerProblem.value(.sends, needs: "moments or functions of the network; 'never' isn't one")) {
      try ContainerProfile(
        name: "one", title: "One",
        differences: [
          .init(what: .interface, value: "playable", note: "", source: "https://a.example/", date: "2026-11-29"),
          .init(what: .sends, value: value, note: "", source: "https://a.example/", date: "2026-11-29"),
        ])
    }
  }

  @Test func aPageThatJudgesGoesByTheContainersRules() throws {
    let source = "https://example.com/"
    let whats: [ContainerDifference.What] = [.errorsInCall, .resizeNeedsAllowOffscreen]
    for order in [whats, whats.reversed()] {
      let profile = try ContainerProfile(
        name: "one", title: "One",
        differences: order.map {
          ContainerDifference(what: $0, value: true, note: "", source: source, date: "2026-01-31")
        })
      #expect(profile.behaviour.bridge.errorsInCall?.needsAllowOffscreen == true)
      #expect(profile.behaviour.bridge.errorsInCall?.boundsOffscreen == false)
    }
    #expect(try Self.behaviour(.errorsInCall, false).bridge.errorsInCall == nil)
  }

  @Test func theStandardHasNoneOfThem() throws {
    var container = Container(exposure: Container.full)
    container.send(.loaded(.one))
    #expect(container.call(.addEventListener("exposureChange")).names() == ["exposureChange"])
    #expect(container.call(.setResizeProperties(Self.outside)).errors() == ["setResizeProperties"])
    container.call(.expand(url: nil))
    let changed = Exposure(exposedPercentage: 100, visibleRectangle: Rect(origin: .zero, size: Container.maxSize))
    let events = container.present(changed).events()
    #expect(events.map(\.name) == ["sizeChange", "exposureChange", "stateChange"])
    #expect(events.first?.arguments == [393, 759])
  }

  /// Resize properties whose close region lies outside the content area.
  static let outside: JSONValue = ["width": 320, "height": 250, "offsetX": 200, "offsetY": 0, "allowOffscreen": true]

  static func valid(offscreen: Bool) -> JSONValue {
    ["width": 320, "height": 250, "offsetX": 0, "offsetY": -100, "allowOffscreen": .bool(offscreen)]
  }
}
