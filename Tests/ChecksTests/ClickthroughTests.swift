import Core
import MRAID
import RenderModel
import Testing

@testable import Checks

@Suite("Where clicks lead")
struct ClickthroughTests {
  private static func messages(_ id: String, _ context: CheckContext) throws -> [String]? {
    try #require(Check.named(id)).judge(context)?.map(\.message)
  }

  /// Creates the evidence of an explored creative with the events behind its button.
  private static func explored(
    _ explored: ExploredStates, clicks: [Event] = [], code: String = ""
  ) -> CheckContext {
    .made(
      files: [.document(code)], explored: explored, tried: [Journey(action: "tap #cta", events: clicks)])
  }

  private static func popup(_ url: String) -> Event {
    event(.page, "popup", ["url": .string(url), "gesture": true, "allowed": false])
  }

  @Test(
    "an address that nothing opens is no clickthrough, and the finding names it and what was tapped",
    arguments: ["javascript:void(0)", "about:blank", "", "#", "creative://ad/index.html#", "landing.html", "https://"])
  func nowhere(url: String) throws {
    let shown = url.isEmpty ? "no address" : "\"" + url + "\""
    for click in [Self.popup(url), call("open", .string(url), gesture: true)] {
      let context = Self.explored(ExploredStates(actions: 2), clicks: [click])
      let said = try #require(try Self.messages("dead-clickthrough", context))
      #expect(said.count == 1)
      #expect(said.first?.hasPrefix("a click leads to \(shown), after tap #cta: ") == true, "\(said)")
      #expect(try Self.messages("no-clickthrough", context) == nil)
    }
  }

  @Test(
    "addresses of the web, of stores and apps, and ones that a server fills in are clickthroughs",
    arguments: [
      "https://a.example/", "http://a.example", "market://details?id=a", "tel:+123", "app://x", "creative://a.example/",
      "creative://ad/%%CLICK_URL_UNESC%%https://a.example/",
    ])
  func somewhere(url: String) throws {
    let context = Self.explored(ExploredStates(actions: 2), clicks: [Self.popup(url)])
    #expect(try Self.messages("dead-clickthrough", context) == [])
    #expect(try Self.messages("no-clickthrough", context) == [])
  }

  @Test("in a render with taps the finding names the last one")
  func tapped() throws {
    let context = CheckContext.made([
      event(.input, "tap", ["selector": "#ad", "x": 1, "y": 2]), Self.popup("javascript:void(0)"),
    ])
    #expect(
      try Self.messages("dead-clickthrough", context)
        == ["a click leads to \"javascript:void(0)\", after tap #ad: javascript: URLs can't be opened"])
  }

  @Test(
    "that none is there needs a proof: what wasn't tried isn't judged",
    arguments: [
      (ExploredStates(isComplete: false, actions: 60), ""), (ExploredStates(actions: 9, failures: 1), ""),
      (ExploredStates(actions: 9, unreached: ["open"]), ""), (ExploredStates(actions: 9, mergesNumbers: true), ""),
      (ExploredStates(actions: 9), "<canvas></canvas><script>go = () => window.open(clickTag)</script>"),
      (ExploredStates(actions: 9), "<a href='https://a.example/'>Go</a>"),
    ])
  func unproven(explored: ExploredStates, code: String) throws {
    let context = Self.explored(explored, code: code)
    #expect(try Self.messages("no-clickthrough", context) == nil)
    let said = try #require(try Self.messages("clickthrough-not-reached", context)?.first)
    #expect(said.hasPrefix("not judged: the exploration (\(explored.actions) actions) reached no clickthrough: "))
    let runner = CheckRunner(profiles: [.network("no-clickthrough")], today: "2026-11-28")
    let report = runner.report(on: context, name: "ad", folder: "ad")
    #expect(report.findings.filter { $0.check == "clickthrough-not-reached" }.map(\.severity) == [.note])
    #expect(report.acceptance.map(\.notTried) == [[.init(check: "no-clickthrough", needs: [.wholeExploration])]])
  }

  @Test("where everything was tried and no code leads out, there is none")
  func proven() throws {
    let context = Self.explored(ExploredStates(actions: 9), code: "<script>var clickTag = 'x'</script>")
    #expect(try Self.messages("no-clickthrough", context)?.count == 1)
    #expect(try Self.messages("clickthrough-not-reached", context) == [])
  }

  @Test("a click past a click tag is told with both addresses")
  func pastTag() throws {
    var context = Self.explored(
      ExploredStates(actions: 2), clicks: [Self.popup("https://other.example/")],
      code: "<script>var clickTag = \"https://shop.example/\"</script>")
    context.profiles = [.network("missing-click-tag")]
    #expect(
      try Self.messages("missing-click-tag", context) == [
        "the click tag is https://shop.example/, but a click leads to https://other.example/, after tap #cta"
      ])
  }

  @Test("what lies under something that can be tapped itself isn't covered")
  func forwarded() throws {
    let area = Rect(x: 0, y: 0, width: 300, height: 250)
    let button = TapTarget(
      selector: "#cta", element: "#cta", reasons: ["link"], reach: .covered, point: Point(x: 20, y: 20),
      coveredBy: "#area")
    let over = TapTarget(selector: "#area", element: "#area", reasons: ["onclick"], frame: area)
    func found(_ targets: [TapTarget]) throws -> [String]? {
      let state = PageSnapshot(moment: "start", state: .default, targets: targets)
      return try Self.messages("covered-target", .made(explored: ExploredStates(states: [state])))
    }
    #expect(try found([button, over]) == [])
    #expect(try found([button]) == ["#cta is covered: #area receives the tap"])
  }

  @Test("a report says whether anything was tapped", arguments: [true, false])
  func touched(isTapped: Bool) {
    let runner = CheckRunner(profiles: [], today: "2026-11-28")
    let context = CheckContext.made(isTapped ? [event(.input, "tap", ["x": 1, "y": 1])] : [])
    #expect(runner.report(on: context, name: "ad", folder: "ad").touched == isTapped)
  }
}
