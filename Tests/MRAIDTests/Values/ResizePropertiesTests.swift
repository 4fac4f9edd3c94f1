import Testing

@testable import MRAID

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
