import Testing

@testable import MRAID

@Suite struct RefitTests {
  /// The phone lying on its side, with the ad still where it was.
  private static func turned(_ rect: Rect) -> HostGeometry {
    HostGeometry(
      screenSize: Size(width: 852, height: 393), maxSize: Size(width: 734, height: 372),
      defaultPosition: Rect(x: 207, y: 161, width: 320, height: 50), currentPosition: rect, orientation: .landscape)
  }

  private func resized(_ properties: JSONValue) throws -> (container: Container, frame: Rect) {
    var container = try #require(Container(.inline, in: .default))
    container.call(.setResizeProperties(properties))
    container.call(.resize)
    container.present()
    #expect(container.session.state == .resized)
    return (container, container.session.geometry.currentPosition)
  }

  static let places: [(JSONValue, Rect)] = [
    // By the slot's new place, then shifted down from -39.
    (
      ["width": 320, "height": 250, "offsetX": 0, "offsetY": -200, "allowOffscreen": false],
      Rect(x: 207, y: 0, width: 320, height: 250)
    ),
    // Too high for the content area: it shrinks.
    (
      ["width": 300, "height": 600, "offsetX": 0, "offsetY": -300, "allowOffscreen": false],
      Rect(x: 207, y: 0, width: 300, height: 372)
    ),
    // It may go offscreen, and is only followed to the slot.
    (["width": 320, "height": 400, "offsetX": 0, "offsetY": -100], Rect(x: 207, y: 61, width: 320, height: 400)),
    // Its close region would lie above the screen.
    (["width": 320, "height": 400, "offsetX": 0, "offsetY": -300], Rect(x: 207, y: 0, width: 320, height: 400)),
  ]

  @Test(arguments: places) func aTurnMovesAResizedAdToWhereItCanBeClosed(_ given: JSONValue, _ place: Rect) throws {
    var (container, frame) = try resized(given)
    let effects = container.send(.geometryChanged(Self.turned(frame), Container.full))
    #expect(effects == [.present(.resized(frame: place, closePosition: .topRight))])
    #expect(Rect(origin: .zero, size: Size(width: 734, height: 372)).contains(ClosePosition.topRight.region(in: place)))
  }

  @Test func gettersAndSizeChangeFollowOnceItStandsWithoutAStateChange() throws {
    var (container, frame) = try resized(Self.places[1].0)
    let transition = container.session.lastTransition
    container.send(.geometryChanged(Self.turned(frame), Container.full))
    #expect(!container.session.isChangingState && container.session.isTransitioning)
    #expect(container.session.geometry.maxSize == Container.maxSize)
    let effects = container.send(.presented(Self.turned(Self.places[1].1), Container.full))
    #expect(effects.presentations == [])
    #expect(effects.names().contains("sizeChange") && !effects.names().contains("stateChange"))
    #expect(effects.events().first == MRAIDEvent("sizeChange", [300, 372]))
    #expect(container.session.lastTransition == transition)
    #expect(container.session.geometry == Self.turned(Self.places[1].1))
  }

  @Test func whatLiesRightAlreadyIsLeftAlone() throws {
    var (container, _) = try resized(Self.places[2].0)
    let effects = container.send(.geometryChanged(Self.turned(Self.places[2].1), Container.full))
    #expect(effects.presentations == [] && !container.session.isTransitioning)
    #expect(container.session.geometry.maxSize == Size(width: 734, height: 372))
  }

  @Test func theNewestResizeCountsAndNotWhatWasSetSince() throws {
    var (container, frame) = try resized(Self.places[0].0)
    container.call(.setResizeProperties(["width": 100, "height": 100, "offsetX": 0, "offsetY": 0]))
    let effects = container.send(.geometryChanged(Self.turned(frame), Container.full))
    #expect(effects == [.present(.resized(frame: Self.places[0].1, closePosition: .topRight))])
  }

  @Test func aTurnWhileTheAdIsResizingIsMadeUpForOnce() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.setResizeProperties(Self.places[0].0))
    container.call(.resize)
    let wrong = Rect(x: 36, y: 154, width: 320, height: 250)
    let effects = container.send(.presented(Self.turned(wrong), Container.full))
    #expect(effects.presentations == [.resized(frame: Self.places[0].1, closePosition: .topRight)])
    // A host that puts it elsewhere all the same isn't asked for ever.
    #expect(container.send(.presented(Self.turned(wrong), Container.full)).presentations == [])
    #expect(!container.session.isTransitioning)
  }

  @Test func aHostThatCantMoveItLeavesItThereWithoutAnError() throws {
    var (container, frame) = try resized(Self.places[0].0)
    container.send(.geometryChanged(Self.turned(frame), Container.full))
    let effects = container.send(.presentationFailed("no"))
    #expect(effects.errors() == [] && effects.presentations == [])
    #expect(container.session.geometry == Self.turned(frame))
  }

  @Test func scrollingTheSlotMovesNothingAboveTheApp() throws {
    var (container, frame) = try resized(Self.places[0].0)
    var scrolled = Container.geometry(.inline, at: frame)
    scrolled.defaultPosition.y -= 300
    #expect(container.send(.geometryChanged(scrolled, Container.full)).presentations == [])
  }
}
