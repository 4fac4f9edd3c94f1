import Jobs
import MRAID
internal import Stage
import Testing

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
