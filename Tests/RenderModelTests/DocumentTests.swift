import Core
import Device
import MRAID
import RenderModel
import Testing

@Suite("A file that is no scenario is refused")
struct DocumentTests {
  @Test("empty files", arguments: ["", "\n\n", "# only a comment\n", "---\n", "~", "null"])
  func empty(text: String) throws {
    #expect(try refusal(text) == "scenario.yaml:1: the scenario is empty")
  }

  @Test(
    "other shapes",
    arguments: [
      ("[]", "1: the scenario has no steps"), ("close", "1: a scenario is a list of steps, or a mapping with steps"),
      ("42", "1: a scenario is a list of steps, or a mapping with steps"),
      ("tap: a", "1: unknown key \"tap\" in a scenario"),
    ])
  func shapes(text: String, message: String) throws {
    #expect(try refusal(text) == "scenario.yaml:\(message)")
  }

  @Test(
    "YAML that can't be read, with the line",
    arguments: [
      ("- tap: \"a", 1), ("- close\n- tap: [a\n- close", 3), ("- close\n- tap: [a\n\n\n", 2),
      ("- close\n\t- tap: a", 2), ("- a\n- *b", 2),
      ("- close\n- tap: @a", 2), ("- close\n---\n- close", 2), ("- close\n- tap: a\n   wait: 3", 3), ("- a: b: c", 1),
      ("- close\n- tap: \"\u{1}\"", 2),
    ])
  func syntax(text: String, line: Int) throws {
    let message = try refusal(text)
    #expect(message.hasPrefix("scenario.yaml:\(line): invalid YAML: "), "\(message)")
    #expect(!message.contains("\n"))
  }

  @Test(
    "keys that stand twice",
    arguments: [
      ("- close\n- {tap: a, tap: b}", "2: tap occurs twice in one mapping"),
      ("- wait:\n    state: hidden\n    'state': default", "2: state occurs twice in one mapping"),
      ("steps: []\nsteps: []", "1: steps occurs twice in one mapping"),
      ("- expect: {evaluate: {a: {b: 1, b: 2}}}", "1: b occurs twice in one mapping"),
    ])
  func duplicates(text: String, message: String) throws {
    #expect(try refusal(text) == "scenario.yaml:\(message)")
  }

  @Test("500 steps are allowed, 501 aren't")
  func manySteps() throws {
    let step = "- close\n"
    #expect(try actions(String(repeating: step, count: 500)).count == 500)
    let message = try refusal(String(repeating: step, count: 501))
    #expect(message == "scenario.yaml:501: the scenario has 501 steps; the maximum is 500")
  }

  @Test("a file of more than 256 KiB is refused")
  func largeFile() throws {
    let comment = "#" + String(repeating: "x", count: 256 * 1024)
    #expect(try refusal("- close\n\(comment)") == "scenario.yaml:1: the scenario is larger than 256 KiB")
  }

  @Test("aliases that would unfold to billions of values are refused at once")
  func billionLaughs() throws {
    var text = "- expect: {evaluate: {a: &a0 [lol, lol]}}\n"
    for level in 1...40 { text += "- x: &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    #expect(try refusal(text) == "scenario.yaml:2: the alias *a0 isn't supported; write its value instead")
  }

  @Test("aliases as keys are refused too")
  func aliasKeys() throws {
    #expect(
      try refusal("- &k [a]\n- {*k : b}") == "scenario.yaml:2: the alias *k isn't supported; write its value instead")
  }

  @Test("stars and ampersands in scripts and selectors are no aliases")
  func stars() throws {
    let text = "- tap: \"ul > *\"\n- evaluate: \"a & b; c *d; e && f\"\n- tap: \"*\""
    #expect(try actions(text).count == 3)
  }

  @Test("nesting as deep as the file is long ends in a refusal")
  func deepNesting() throws {
    #expect(try refusal(String(repeating: "[", count: 200_000)).contains("invalid YAML"))
    #expect(try refusal(String(repeating: "- ", count: 100_000)).contains("invalid YAML"))
  }

  @Test("values nested more than 32 levels are refused")
  func deepValues() throws {
    func text(_ levels: Int) -> String {
      let open = String(repeating: "[", count: levels)
      return "- expect: {evaluate: {x: \(open)1\(String(repeating: "]", count: levels))}}"
    }
    #expect(try actions(text(31)).count == 1)
    #expect(try refusal(text(32)) == "scenario.yaml:1: the value is nested more than 32 levels deep")
  }

  @Test("a byte order mark, CRLF and no newline at the end are fine")
  func lineEnds() throws {
    let scenario = try ScenarioParser.parse("\u{FEFF}- close\r\n- tap: a\r\n- background", source: "s")
    #expect(scenario.steps.map(\.line) == [1, 2, 3])
    #expect(try refusal("- close\r\n- tapp: a\r\n").hasPrefix("scenario.yaml:2:"))
  }

  @Test("every beginning of a scenario is read or refused, never worse")
  func truncations() {
    let text =
      "placement: banner\nsize: 320x50\nsteps:\n  - wait: {event: ready, count: 2}\n  - expect:\n      evaluate: {a: \"b\"}\n"
    for length in 0...text.count {
      do {
        _ = try ScenarioParser.parse(String(text.prefix(length)), source: "s")
      } catch {
        #expect(error.code == "scenario-invalid")
        #expect(error.message.hasPrefix("s:"))
      }
    }
  }

  @Test("a scenario survives encoding")
  func typed() throws {
    let scenario = try ScenarioParser.parse("- volume: null\n- tap: {x: 1, y: 2}", source: "s")
    #expect(try roundTrip(scenario) == scenario)
  }
}

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
        "1: unknown placement \"baner\"; use one of banner, interstitial, feed; did you mean banner?"
      ),
      ("placement: 3\nsteps: []", "1: unknown placement \"3\"; use one of banner, interstitial, feed"),
      ("placement:\nsteps: []", "1: placement must be one of banner, interstitial, feed"),
      (
        "placement: interstitial\nsize: 320x50\nsteps: []",
        "2: size and position are for banners; an interstitial fills the screen"
      ),
      (
        "placement: interstitial\nposition: top\nsteps: []",
        "2: size and position are for banners; an interstitial fills the screen"
      ),
      ("position: middle\nsteps: []", "1: unknown position \"middle\"; use one of top, center, bottom"),
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

@Suite("A scenario that is written")
struct ScenarioWriterTests {
  private static let odd = "a: \"b\" #c\n\t{x, y} [é] \u{1F600} </script> \\ 'd'"

  private static let actions: [Scenario.Action] = [
    .wait(.init(.event("ready", count: 1))), .wait(.init(.event("modal/push", count: 3), timeout: 2.5)),
    .wait(.init(.state(.expanded), timeout: 30)), .wait(.init(.visible("#a > b"))),
    .wait(.init(.seconds(0.5), timeout: 5.5)),
    .tap(.selector("#buy")), .tap(.selector(odd)), .tap(.point(Point(x: 10.5, y: 20))),
    .swipe(from: .selector("a"), to: .point(Point(x: 1, y: 2))), .type(text: odd, into: nil),
    .swipeOver(odd, .left), .swipeOver("#a", .down), .choose(option: odd, from: .selector("#s")),
    .choose(option: "A", from: .point(Point(x: 3, y: 4))),
    .type(text: "12", into: .selector("input")), .close, .rotate(.landscape), .background, .foreground, .volume(50),
    .app(.launch), .app(.days(5)), .app(.update("2.0")), .app(.register(true)), .app(.register(false)),
    .app(.failNextRequest), .app(.offline), .app(.online),
    .volume(nil), .scroll(to: 852), .evaluate(odd), .screenshot("on"), .screenshot("a-1"),
    .expect([.state(.default)]),
    .expect([
      .state(.expanded), .event("error", count: 0, detail: nil), .event("mraid/ready", count: nil, detail: nil),
      .event("host/open", count: nil, detail: ["url": "https://a.example/?b=c#d"]),
      .property("currentPosition.width", 320),
      .evaluate("document.title === \"x: y\"", true), .evaluate("f()", ["a": [1, nil, "b"]]),
    ]),
  ]

  @Test(
    "reads back as the same steps",
    arguments: [
      nil, Placement(kind: .interstitial),
      Placement(kind: .banner, size: Size(width: 320, height: 480), position: .bottom),
    ])
  func roundTrip(placement: Placement?) throws {
    let steps = Self.actions.map { Scenario.Step(line: 1, action: $0) }
    let text = ScenarioWriter.text(
      of: Scenario(source: "x", placement: placement, steps: steps), comment: ["what it is\n- tap: \"#not\""])
    let read = try ScenarioParser.parse(text, source: "x")
    #expect(read.steps.map(\.action) == Self.actions)
    #expect(read.placement == placement)
  }

  @Test("without steps still says where the ad is shown")
  func empty() throws {
    let scenario = Scenario(source: "x", placement: Placement(kind: .interstitial), steps: [])
    #expect(try ScenarioParser.parse(ScenarioWriter.text(of: scenario), source: "x").placement?.kind == .interstitial)
  }

  @Test("leaves out what only exploring does")
  func observing() {
    let scenario = Scenario(
      source: "x", steps: [.init(line: 1, action: .observe("before")), .init(line: 2, action: .close)])
    #expect(ScenarioWriter.text(of: scenario) == "- close\n")
  }
}
