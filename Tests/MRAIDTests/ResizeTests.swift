import Core
import Testing

@testable import MRAID

@Suite struct ResizeTests {
  @Test func resizeWithoutPropertiesIsAnError() throws {
    var container = try #require(Container(.inline, in: .default))
    let effects = container.call(.resize)
    #expect(effects.events() == [MRAIDEvent("error", ["resize() needs valid setResizeProperties() first", "resize"])])
    #expect(container.session.state == .default)
  }

  @Test(arguments: ResizePropertiesTests.rejections)
  func setResizePropertiesRaisesTheRejectionAndUnsets(_ given: JSONValue, _ rejection: ResizeRejection) throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.setResizeProperties(Container.valid))
    let effects = container.call(.setResizeProperties(given))
    #expect(effects.events() == [MRAIDEvent("error", [.string(rejection.description), "setResizeProperties"])])
    #expect(effects.updates().first?.properties == ["resizeProperties": .null])
    #expect(container.session.settings.resize == nil)
    #expect(container.call(.resize).errors() == ["resize"])
  }

  static let shrunk: [(JSONValue, ResizeRejection)] = [
    (
      ["width": 320, "height": 250, "offsetX": 0, "offsetY": 0, "allowOffscreen": false],
      .tooLarge(Size(width: 320, height: 250), maxSize: Size(width: 300, height: 200))
    ),
    (
      ["width": 320, "height": 250, "offsetX": 0, "offsetY": 0],
      .closeRegionOffscreen(Rect(x: 306, y: 354, width: 50, height: 50), maxSize: Size(width: 300, height: 200))
    ),
  ]

  @Test(arguments: shrunk)
  func resizeChecksAgainWhatRotationMayHaveChanged(_ given: JSONValue, _ rejection: ResizeRejection) throws {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.call(.setResizeProperties(given)).names() == [])
    var small = Container.geometry(.inline)
    small.maxSize = Size(width: 300, height: 200)
    container.send(.geometryChanged(small, .none))
    let effects = container.call(.resize)
    #expect(effects.events() == [MRAIDEvent("error", [.string(rejection.description), "resize"])])
    #expect(effects.updates().first?.properties == ["resizeProperties": .null])
    #expect(container.session.state == .default)
  }

  @Test func settingPropertiesWhileExpandedIsNoErrorButResizeIs() throws {
    var container = try #require(Container(.inline, in: .expanded))
    #expect(container.call(.setResizeProperties(["width": 100, "height": 100, "offsetX": 0, "offsetY": 0])) == [])
    #expect(container.call(.resize).errors() == ["resize"])
    #expect(container.session.state == .expanded)
  }

  @Test func whatThePageMergedItselfIsNotRepeated() throws {
    var container = try #require(Container(.inline, in: .default))
    #expect(container.call(.setResizeProperties(Container.valid)) == [])
  }

  @Test func afterARejectionTheHostRepeatsWhatIsValid() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(.setResizeProperties([:]))
    for _ in 0..<2 {
      let update = container.call(.setResizeProperties(Container.valid)).updates().first
      #expect(update?.properties["resizeProperties"]?["height"] == 250)
    }
  }

  @Test func theCloseControlIsAtTopRightWhateverTheAdAsksFor() throws {
    var container = try #require(Container(.inline, in: .default))
    container.call(
      .setResizeProperties([
        "width": 200, "height": 100, "offsetX": 10, "offsetY": 20, "customClosePosition": "bottom-left",
      ]))
    let frame = Rect(x: 46, y: 374, width: 200, height: 100)
    #expect(container.call(.resize).presentations == [.resized(frame: frame, closePosition: .topRight)])
    #expect(container.session.settings.resize?.customClosePosition == .bottomLeft)
  }

  @Test func offsetsCountFromTheDefaultPositionNotTheResizedOne() throws {
    var container = try #require(Container(.inline, in: .resized))
    container.call(.setResizeProperties(["width": 320, "height": 250, "offsetX": 0, "offsetY": 10]))
    let frame = Rect(x: 36, y: 364, width: 320, height: 250)
    #expect(container.call(.resize).presentations == [.resized(frame: frame, closePosition: .topRight)])
  }
}

@Suite struct ResizePropertiesTests {
  static let geometry = Container.geometry(.inline)
  static let max = Container.maxSize

  static func properties(_ changes: [String: JSONValue]) -> JSONValue {
    let base: [String: JSONValue] = ["width": 320, "height": 100, "offsetX": 0, "offsetY": 0]
    return .object(base.merging(changes) { $1 })
  }

  /// Rules a to d of the standard, by the properties that break them on the default screen.
  static let rejections: [(JSONValue, ResizeRejection)] = [
    (.null, .noObject), ([:], .noObject), ([], .noObject), ("text", .noObject), (7, .noObject),
    (["width": 100], .missing("height")), (["height": 100], .missing("width")),
    (["width": 100, "height": 100], .missing("offsetX")),
    (["width": 100, "height": 100, "offsetX": 0], .missing("offsetY")),
    (properties(["width": nil]), .missing("width")), (properties(["width": "320"]), .notANumber("width")),
    (properties(["height": true]), .notANumber("height")), (properties(["offsetX": [:]]), .notANumber("offsetX")),
    (properties(["offsetY": .number(.infinity)]), .notANumber("offsetY")),
    (properties(["width": .number(.nan)]), .notANumber("width")),
    (properties(["width": 49]), .tooSmall(Size(width: 49, height: 100))),
    (properties(["height": 49.5]), .tooSmall(Size(width: 320, height: 49.5))),
    (properties(["width": -320]), .tooSmall(Size(width: -320, height: 100))),
    (
      properties(["width": 394, "allowOffscreen": false]), .tooLarge(Size(width: 394, height: 100), maxSize: max)
    ),
    (
      properties(["height": 760, "allowOffscreen": false]), .tooLarge(Size(width: 320, height: 760), maxSize: max)
    ),
    (properties(["offsetX": 38]), .closeRegionOffscreen(Rect(x: 344, y: 354, width: 50, height: 50), maxSize: max)),
    (properties(["offsetY": -355]), .closeRegionOffscreen(Rect(x: 306, y: -1, width: 50, height: 50), maxSize: max)),
    (
      properties(["customClosePosition": "top-left", "offsetX": 38]),
      .closeRegionOffscreen(Rect(x: 344, y: 354, width: 50, height: 50), maxSize: max)
    ),
  ]

  private func outcome(_ given: JSONValue) -> Result<Rect, ResizeRejection> {
    Result { () throws(ResizeRejection) -> Rect in try ResizeProperties(given).frame(in: Self.geometry) }
  }

  @Test(arguments: rejections)
  func rejectionIsTyped(_ given: JSONValue, _ rejection: ResizeRejection) {
    #expect(outcome(given) == .failure(rejection))
    #expect(!rejection.description.isEmpty)
  }

  static let frames: [(JSONValue, Rect)] = [
    (properties([:]), Rect(x: 36, y: 354, width: 320, height: 100)),
    (properties(["width": 50, "height": 50]), Rect(x: 36, y: 354, width: 50, height: 50)),
    (properties(["offsetX": 37]), Rect(x: 73, y: 354, width: 320, height: 100)),
    (properties(["offsetX": -300]), Rect(x: -264, y: 354, width: 320, height: 100)),
    (properties(["width": 1000, "offsetX": -700]), Rect(x: -664, y: 354, width: 1000, height: 100)),
    (properties(["height": 2000]), Rect(x: 36, y: 354, width: 320, height: 2000)),
    (properties(["offsetX": 500, "allowOffscreen": false]), Rect(x: 73, y: 354, width: 320, height: 100)),
    (properties(["offsetX": -500, "allowOffscreen": false]), Rect(x: 0, y: 354, width: 320, height: 100)),
    (properties(["offsetY": 900, "allowOffscreen": false]), Rect(x: 36, y: 659, width: 320, height: 100)),
    (properties(["offsetY": -900, "allowOffscreen": false]), Rect(x: 36, y: 0, width: 320, height: 100)),
    (
      properties(["width": 393, "height": 759, "offsetX": 5, "allowOffscreen": false]),
      Rect(x: 0, y: 0, width: 393, height: 759)
    ),
    (
      properties(["customClosePosition": "bottom-right", "height": 406]), Rect(x: 36, y: 354, width: 320, height: 406)
    ),
    (properties(["customClosePosition": "top-left", "offsetX": -37]), Rect(x: -1, y: 354, width: 320, height: 100)),
    (
      properties(["customClosePosition": "nowhere", "allowOffscreen": "no"]),
      Rect(x: 36, y: 354, width: 320, height: 100)
    ),
  ]

  @Test(arguments: frames)
  func frameLiesAtTheDefaultPositionPlusOffsets(_ given: JSONValue, _ frame: Rect) {
    #expect(outcome(given) == .success(frame))
  }

  static let regions: [(ClosePosition, Point)] = [
    (.topLeft, Point(x: 10, y: 20)), (.topCenter, Point(x: 135, y: 20)), (.topRight, Point(x: 260, y: 20)),
    (.center, Point(x: 135, y: 95)), (.bottomLeft, Point(x: 10, y: 170)), (.bottomCenter, Point(x: 135, y: 170)),
    (.bottomRight, Point(x: 260, y: 170)),
  ]

  @Test(arguments: regions)
  func closeRegionIs50By50AtItsPlace(_ position: ClosePosition, _ origin: Point) {
    let region = position.region(in: Rect(x: 10, y: 20, width: 300, height: 200))
    #expect(region == Rect(origin: origin, size: Size(width: 50, height: 50)))
  }

  @Test func optionalMembersHaveTheirDefaults() throws {
    let properties = try ResizeProperties(Self.properties([:]))
    #expect(properties.customClosePosition == .topRight)
    #expect(properties.allowOffscreen)
  }
}

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
