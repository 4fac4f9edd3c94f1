import Core
import MRAID
import RenderModel
import Testing

@Suite("Steps are read")
struct StepTests {
  @Test("every step of a whole scenario, with its line")
  func wholeScenario() throws {
    let text = """
      # A banner that expands.
      - wait: {event: ready}
      - tap: "#ad"

      - wait:
          state: expanded
          timeout: 2.5
      - close
      - expect: {state: default}
      """
    let scenario = try ScenarioParser.parse(text, source: "a/scenario.yaml")
    #expect(scenario.source == "a/scenario.yaml")
    #expect(scenario.placement == nil)
    #expect(scenario.steps.map(\.line) == [2, 3, 5, 8, 9])
    #expect(
      scenario.steps.map(\.action) == [
        .wait(.init(.event("ready", count: 1))), .tap(.selector("#ad")),
        .wait(.init(.state(.expanded), timeout: 2.5)), .close, .expect([.state(.default)]),
      ])
  }

  @Test(
    "waits",
    arguments: [
      ("- wait: {event: ready, count: 3, timeout: 60}", .init(.event("ready", count: 3), timeout: 60)),
      ("- wait: {event: mraid/stateChange}", .init(.event("mraid/stateChange", count: 1), timeout: 5)),
      ("- wait: {state: expanded}", .init(.state(.expanded), timeout: 5)),
      ("- wait: {visible: \"#menu\", timeout: 1}", .init(.visible("#menu"), timeout: 1)),
      ("- wait: {seconds: 0.5}", .init(.seconds(0.5), timeout: 5.5)),
      ("- wait: 2", .init(.seconds(2), timeout: 7)),
      ("- wait: .25", .init(.seconds(0.25), timeout: 5.25)),
      ("- advance: 2.5s", .init(.seconds(2.5), timeout: 7.5)),
      ("- advance: 30", .init(.seconds(30), timeout: 35)),
    ] as [(String, Scenario.WaitCondition)])
  func waits(text: String, condition: Scenario.WaitCondition) throws {
    #expect(try action(text) == .wait(condition))
  }

  @Test(
    "what happens to the app",
    arguments: [
      ("- launch", .launch), ("- advance: 5d", .days(5)), ("- advance: 0.5d", .days(0.5)),
      ("- update: 2.0", .update("2.0")), ("- update: \"3\"", .update("3")),
      ("- register", .register(true)),
      ("- register: true", .register(true)), ("- register: false", .register(false)),
      ("- fail next request", .failNextRequest), ("- offline", .offline), ("- online", .online),
    ] as [(String, AppEvent)])
  func app(text: String, event: AppEvent) throws {
    #expect(try action(text) == .app(event))
  }

  @Test(
    "fingers",
    arguments: [
      ("- tap: \"#cta\"", .tap(.selector("#cta"))),
      ("- tap: button.cta", .tap(.selector("button.cta"))),
      ("- tap: {selector: \"a[href]\"}", .tap(.selector("a[href]"))),
      ("- tap: {x: 10, y: 20.5}", .tap(.point(Point(x: 10, y: 20.5)))),
      ("- tap: {selector: \"#cta\", covered: true}", .tapCovered("#cta")),
      ("- press: \"#cta\"", .press(.selector("#cta"), seconds: 1)),
      ("- press: {x: 4, y: 5}", .press(.point(Point(x: 4, y: 5)), seconds: 1)),
      ("- press: {at: \"#cta\", seconds: 2.5}", .press(.selector("#cta"), seconds: 2.5)),
      ("- tap: {selector: \"#cta\", covered: false}", .tap(.selector("#cta"))),
      (
        "- swipe: {from: {x: 300, y: 100}, to: {x: 20, y: 100}}",
        .swipe(from: .point(Point(x: 300, y: 100)), to: .point(Point(x: 20, y: 100)))
      ),
      ("- swipe: {from: .card, to: \"#bin\"}", .swipe(from: .selector(".card"), to: .selector("#bin"))),
      ("- swipe: {over: \"#track\", direction: left}", .swipeOver("#track", .left)),
      ("- swipe: {direction: down, over: .list}", .swipeOver(".list", .down)),
      ("- choose: {option: 2, from: \"#size\"}", .choose(option: "2", from: .selector("#size"))),
      ("- choose: {option: \"A b\", from: {x: 1, y: 2}}", .choose(option: "A b", from: .point(Point(x: 1, y: 2)))),
      ("- type: \"Ada\"", .type(text: "Ada", into: nil)),
      ("- type: 01234", .type(text: "01234", into: nil)),
      ("- type: {text: yes, into: \"#agree\"}", .type(text: "yes", into: .selector("#agree"))),
      ("- type: {text: a, into: {x: 1, y: 2}}", .type(text: "a", into: .point(Point(x: 1, y: 2)))),
    ] as [(String, Scenario.Action)])
  func fingers(text: String, expected: Scenario.Action) throws {
    #expect(try action(text) == expected)
  }

  @Test(
    "what the host does",
    arguments: [
      ("- close", .close), ("- close:", .close), ("- close: ~", .close), ("- background", .background),
      ("- foreground", .foreground), ("- \"foreground\"", .foreground), ("- rotate: landscape", .rotate(.landscape)),
      ("- rotate: portrait", .rotate(.portrait)), ("- volume: 50", .volume(50)), ("- volume: 0", .volume(0)),
      ("- volume: 100", .volume(100)), ("- volume: null", .volume(nil)), ("- volume:", .volume(nil)),
      ("- scroll: 300", .scroll(to: 300)), ("- scroll: {to: 0}", .scroll(to: 0)),
      ("- screenshot: end-card-2", .screenshot("end-card-2")), ("- screenshot: 1", .screenshot("1")),
    ] as [(String, Scenario.Action)])
  func host(text: String, expected: Scenario.Action) throws {
    #expect(try action(text) == expected)
  }

  @Test("says whether the ad is measured, as true or false, and is written so again")
  func omid() throws {
    let scenario = try ScenarioParser.parse("omid: true\nsteps: []", source: "s.yaml")
    #expect(scenario.omid == true && scenario.steps.isEmpty)
    #expect(ScenarioWriter.text(of: scenario).contains("omid: true\n"))
    #expect(throws: Fault.self) { try ScenarioParser.parse("omid: perhaps\nsteps: []", source: "s.yaml") }
  }

  @Test("scripts, on one line and in a block")
  func scripts() throws {
    let text = """
      - evaluate: "mraid.expand()"
      - evaluate: |
          const a = 1 *b
          return a
      """
    #expect(try actions(text) == [.evaluate("mraid.expand()"), .evaluate("const a = 1 *b\nreturn a")])
  }

  @Test("expectations keep the file's order")
  func expectations() throws {
    let text = """
      - expect:
          events:
            - ready
            - {name: stateChange, count: 2, detail: {state: expanded, deep: [1, null, true]}}
          state: resized
          event: {name: error, count: 0}
          property: {currentPosition.width: 320, placementType: inline}
          evaluate:
            "document.title": "x"
            "1 + 1": 2
      """
    let detail: JSONValue = ["state": "expanded", "deep": [1, nil, true]]
    #expect(
      try action(text)
        == .expect([
          .event("ready", count: nil, detail: nil), .event("stateChange", count: 2, detail: detail), .state(.resized),
          .event("error", count: 0, detail: nil), .property("currentPosition.width", 320),
          .property("placementType", "inline"), .evaluate("document.title", "x"), .evaluate("1 + 1", 2),
        ]))
  }

  @Test("an event by its bare name")
  func bareEvent() throws {
    #expect(try action("- expect: {event: modal/push}") == .expect([.event("modal/push", count: nil, detail: nil)]))
  }

  @Test(
    "plain words are text unless YAML 1.2 says otherwise, quoted ones always",
    arguments: [
      ("yes", "yes"), ("\"1\"", "1"), ("'true'", "true"), ("1.5e3", 1500), ("-2", -2), ("0x10", "0x10"),
      ("1:30", "1:30"),
      ("true", true), ("null", nil), ("~", nil), (".inf", ".inf"), ("2024-01-01", "2024-01-01"), ("+", "+"),
      ("{a: {b: []}}", ["a": ["b": []]]), ("\"\"", ""), ("1e999", "1e999"),
    ] as [(String, JSONValue)])
  func scalars(text: String, expected: JSONValue) throws {
    #expect(try action("- expect: {evaluate: {x: \(text)}}") == .expect([.evaluate("x", expected)]))
  }
}

@Suite("An event pattern")
struct EventPatternTests {
  private let event = Event(seq: 0, t: 1, source: .mraid, name: "stateChange")

  @Test("without a source matches every source")
  func anySource() throws {
    let pattern = try #require(EventPattern("stateChange"))
    #expect(pattern.source == nil)
    #expect(pattern.matches(event))
  }

  @Test("with a source matches that source only")
  func oneSource() throws {
    #expect(try #require(EventPattern("mraid/stateChange")).matches(event))
    #expect(try #require(EventPattern("creative/stateChange")).matches(event) == false)
    #expect(try #require(EventPattern("mraid/ready")).matches(event) == false)
  }

  @Test(
    "is refused when it can't be a name",
    arguments: ["", "/", "mraid/", "/ready", "mraid/ready/x", "other/ready", "1st", "state-change", "zurück", "a b"])
  func refused(text: String) {
    #expect(EventPattern(text) == nil)
  }
}

@Suite("A swipe over something")
struct SwipeDirectionTests {
  @Test(
    "goes through its middle and leaves out both ends",
    arguments: [
      (SwipeDirection.left, Point(x: 95, y: 60), Point(x: 25, y: 60)),
      (.right, Point(x: 25, y: 60), Point(x: 95, y: 60)), (.up, Point(x: 60, y: 77), Point(x: 60, y: 43)),
      (.down, Point(x: 60, y: 43), Point(x: 60, y: 77)),
    ])
  func paths(direction: SwipeDirection, from: Point, to: Point) {
    let path = direction.path(over: Rect(x: 10, y: 35.714_285_714_285_715, width: 100, height: 48.571_428_571_428_57))
    #expect(abs(path.from.x - from.x) < 0.001 && abs(path.from.y - from.y) < 0.001)
    #expect(abs(path.to.x - to.x) < 0.001 && abs(path.to.y - to.y) < 0.001)
  }
}
