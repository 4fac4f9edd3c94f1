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
    #expect(container.session.resizeProperties == nil)
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
    #expect(container.session.resizeProperties?.customClosePosition == .bottomLeft)
  }

  @Test func offsetsCountFromTheDefaultPositionNotTheResizedOne() throws {
    var container = try #require(Container(.inline, in: .resized))
    container.call(.setResizeProperties(["width": 320, "height": 250, "offsetX": 0, "offsetY": 10]))
    let frame = Rect(x: 36, y: 364, width: 320, height: 250)
    #expect(container.call(.resize).presentations == [.resized(frame: frame, closePosition: .topRight)])
  }
}
