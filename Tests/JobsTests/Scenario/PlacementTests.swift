import Jobs
import MRAID
import Stage
import Testing

@Suite("A scenario may name its placement")
struct PlacementTests {
  @Test(
    "what is left out is a banner in the centre, of the creative's own size",
    arguments: [
      ("{placement: interstitial, steps: []}", Placement(kind: .interstitial)),
      ("{placement: banner, steps: [close]}", Placement(kind: .banner)),
      ("{size: 300x250, steps: []}", Placement(kind: .banner, size: Size(width: 300, height: 250))),
      ("{position: top, steps: []}", Placement(kind: .banner, position: .top)),
      (
        "{placement: banner, size: 320x50, position: bottom, steps: []}",
        Placement(kind: .banner, size: Size(width: 320, height: 50), position: .bottom)
      ),
    ])
  func placements(text: String, expected: Placement) throws {
    #expect(try ScenarioParser.parse(text, source: "s").placement == expected)
  }

  @Test("steps alone leave the placement open")
  func none() throws {
    let scenario = try ScenarioParser.parse("steps:\n  - close\n  - background", source: "s")
    #expect(scenario.placement == nil)
    #expect(scenario.steps.map(\.line) == [2, 3])
  }

  @Test(
    "and is refused when it makes no sense",
    arguments: [
      (
        "placement: baner\nsteps: []",
        "1: unknown placement \"baner\"; it is one of banner, interstitial, feed; did you mean banner?"
      ),
      ("placement: 3\nsteps: []", "1: unknown placement \"3\"; it is one of banner, interstitial, feed"),
      ("placement:\nsteps: []", "1: placement must be one of banner, interstitial, feed"),
      (
        "placement: interstitial\nsize: 320x50\nsteps: []",
        "2: size and position go with a banner; an interstitial fills the screen"
      ),
      (
        "placement: interstitial\nposition: top\nsteps: []",
        "2: size and position go with a banner; an interstitial fills the screen"
      ),
      ("position: middle\nsteps: []", "1: unknown position \"middle\"; it is one of top, center, bottom"),
      ("size: 320\nsteps: []", "1: size must be like 320x50, each side from 1 to 10000"),
      ("size: 320x\nsteps: []", "1: size must be like 320x50, each side from 1 to 10000"),
      ("size: 0x50\nsteps: []", "1: size must be like 320x50, each side from 1 to 10000"),
      ("size: 320x50x2\nsteps: []", "1: size must be like 320x50, each side from 1 to 10000"),
      ("size: -320x50\nsteps: []", "1: size must be like 320x50, each side from 1 to 10000"),
      ("size: 99999x50\nsteps: []", "1: size must be like 320x50, each side from 1 to 10000"),
      ("size: 99999999999999999999x50\nsteps: []", "1: size must be like 320x50, each side from 1 to 10000"),
      ("size: [320, 50]\nsteps: []", "1: size must be like 320x50, each side from 1 to 10000"),
      ("placement: banner", "1: the scenario has no steps"),
      ("steps: []", "1: the scenario has no steps"),
      ("placement: banner\nstep: []", "2: unknown key \"step\" in a scenario; did you mean steps?"),
      ("placement: banner\nsteps: close", "2: steps must be a list, found text"),
      ("placement: banner\nsteps:", "2: steps must be a list, found nothing"),
    ])
  func refusals(text: String, message: String) throws {
    #expect(try refusal(text) == "scenario.yaml:\(message)")
  }
}
