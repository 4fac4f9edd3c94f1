import ArgumentParser
import Jobs
import MRAID
import Stage
import Testing

@testable import galley

@Suite struct OptionTests {
  @Test(arguments: [
    ([], nil, Placement(kind: .banner)),
    ([], Placement(kind: .interstitial), Placement(kind: .interstitial)),
    (["--placement", "banner"], Placement(kind: .interstitial), Placement(kind: .banner)),
    (
      ["--placement", "interstitial"], Placement(kind: .banner, size: Size(width: 1, height: 1)),
      Placement(kind: .interstitial)
    ),
    (
      ["--size", "300x250"], Placement(kind: .interstitial),
      Placement(kind: .banner, size: Size(width: 300, height: 250))
    ),
    (
      ["--position", "top"], Placement(kind: .banner, size: Size(width: 300, height: 250), position: .bottom),
      Placement(kind: .banner, size: Size(width: 300, height: 250), position: .top)
    ),
  ])
  func placesByCommandLineThenScenarioThenBanner(arguments: [String], scenario: Placement?, expected: Placement) throws
  {
    #expect(try PlacementOptions.parse(arguments).placement(scenario: scenario) == expected)
  }

  @Test(arguments: ["320", "320x", "x50", "0x50", "-1x5", "3.5x5", "320x50x1", "10001x1"])
  func refusesSizes(text: String) {
    #expect(throws: (any Error).self) { try PlacementOptions.parse(["--size", text]) }
  }

  @Test func takesAScreenOfOnesOwn() throws {
    let options = try DeviceOptions.parse(["--screen", "390x844@3", "--orientation", "landscape"])
    #expect(try options.resolved().screen == Size(width: 390, height: 844))
    #expect(options.orientation == .landscape)
  }

  @Test func findsTheDefaultDevice() throws {
    #expect(try DeviceOptions.parse([]).resolved().name == "iphone-15")
    #expect(throws: Fault.self) { try DeviceOptions.parse(["--device", "iphone15x"]).resolved() }
    #expect(throws: (any Error).self) { try DeviceOptions.parse(["--device", "iphone-15", "--screen", "390x844"]) }
  }

  @Test func turnsLimitsIntoOptions() throws {
    let options = try LimitOptions.parse([
      "--offline", "--follow-clickthroughs", "--isolation", "session", "--memory", "512",
    ])
    #expect(options.renderOptions == RenderOptions(isolation: .session, followsClickthroughs: true, network: false))
    #expect(options.limits == Limits(timeout: 30, memory: 512))
  }
}
