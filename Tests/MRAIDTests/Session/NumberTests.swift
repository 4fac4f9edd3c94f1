import Testing

@testable import MRAID

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
    #expect(container.session.resizeProperties == nil)
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
