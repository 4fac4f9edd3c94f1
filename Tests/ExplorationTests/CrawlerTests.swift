import Core
import Exploration
import MRAID
import RenderModel
import Testing

@Suite("An explorer")
struct CrawlerTests {
  @Test("finds every state, each by its shortest way")
  func everyState() {
    let crawler = FakeCreative.menu.explored()
    #expect(crawler.states.map(\.name) == ["default", "expanded", "expanded", "browser"])
    #expect(crawler.states.map(\.slug) == ["01-default", "02-expanded", "03-expanded", "04-browser"])
    #expect(crawler.states[0].path == [])
    #expect(
      crawler.states[3].path == [
        .tap(.selector("#open")), .wait(.init(.state(.expanded))), .tap(.selector("#sea")),
        .wait(.init(.visible("#crab"))), .tap(.selector("#crab")), .wait(.init(.event("modal/push", count: 2))),
      ])
    #expect(crawler.ways.contains("4 close 3"))
    #expect(crawler.ways.contains("3 tap #back 2"))
    #expect(crawler.cut == nil)
  }

  @Test("the fullest way is one to the store, else the longest")
  func fullestWay() {
    func acts(_ creative: FakeCreative) -> [Scenario.Action] {
      creative.exploration().fullestWay?.steps.map(\.action).filter { if case .wait = $0 { false } else { true } } ?? []
    }
    let taps = ["#open", "#sea", "#crab"].map { Scenario.Action.tap(.selector($0)) }
    #expect(acts(.menu) == taps)
    var silent = FakeCreative.menu
    silent.rooms["sea"]?.events = [:]
    #expect(acts(silent) == taps + [.close])
  }

  @Test("tries the same and finds the same however fast and in whatever order trials end", arguments: 1...12)
  func order(seed: Int) {
    let plain = FakeCreative.menu.explored()
    var state = UInt64(seed)
    let shuffled = FakeCreative.menu.explored(atOnce: 1 + seed % 4) { results in
      results.sorted { a, b in
        state = state &* 6_364_136_223_846_793_005 &+ UInt64(a.trial.number * 31 + b.trial.number)
        return state & 1 == 0
      }
    }
    #expect(shuffled.ways == plain.ways)
    #expect(shuffled.edges.map(\.trial) == plain.edges.map(\.trial))
    #expect(shuffled.states.map(\.path) == plain.states.map(\.path))
  }

  @Test("gives a state the time to be what it was when it was found, before anything is tried there")
  func reaches() throws {
    let creative = FakeCreative.menu
    var crawler = Crawler(placement: .banner, screen: Size(width: 390, height: 800))
    let first = crawler.start()
    #expect(first.scenario(placement: nil).steps.map(\.action) == [.observe(Trial.begin)])
    let trials = crawler.handleResult(creative.render(first))
    let start = try #require(crawler.states.first)
    #expect(!trials.isEmpty)
    for trial in trials {
      let actions = trial.scenario(placement: nil).steps.map(\.action)
      #expect(actions.prefix(2) == [.reach(StateSignature(start.seen)), .observe(Trial.before)])
    }
  }

  @Test("tries what claims to act everywhere before what might, and journeys once a place")
  func tiers() {
    var creative = FakeCreative.menu
    creative.rooms["start"]?.targets.insert(.button("#maybe", ["under:#ad"]), at: 0)
    let ways = creative.explored().ways
    let claimed = ways.firstIndex(of: "4 close 3")
    let likely = ways.firstIndex(of: "1 tap #maybe 1")
    #expect(claimed != nil && likely != nil && (claimed ?? 0) < (likely ?? 0))
    #expect(ways.filter { $0.contains("rotate") } == ["1 rotate and back 1", "2 rotate and back 2"])
    #expect(ways.filter { $0.contains("scroll") } == ["1 scroll away and back 1"])
  }

  @Test("stops at its budget of actions and says what it didn't try")
  func actions() {
    let crawler = FakeCreative.menu.explored(Budget(actions: 3))
    #expect(crawler.edges.count == 3)
    #expect(crawler.cut == .actions)
    #expect(crawler.states.map { $0.acts - $0.untried.count }.reduce(0, +) == 3)
    #expect(crawler.states[1].untried.contains("close"))
    #expect(FakeCreative.menu.explored(Budget(actions: crawler.edges.count + 100)).cut == nil)
  }

  @Test("stops once its seconds are over")
  func seconds() {
    var creative = FakeCreative.menu
    creative.milliseconds = 1_000
    let crawler = creative.explored(Budget(seconds: 2.5))
    #expect(crawler.cut == .seconds)
    #expect(crawler.edges.count < FakeCreative.menu.explored().edges.count)
    #expect(crawler.isDone)
  }

  @Test("doesn't take a clock for a state, nor a place that only looks different")
  func numbers() {
    var creative = FakeCreative.menu
    creative.rooms["start"]?.text = "12 seconds left"
    creative.rooms["start"]?.ways["#open"] = "later"
    creative.rooms["later"] = creative.rooms["start"]
    creative.rooms["later"]?.text = "7 seconds left"
    #expect(creative.explored().states.count == 1)
    creative.rooms["later"]?.text = "No seconds left"
    #expect(creative.explored().states.count == 2)
  }

  @Test("repeats an act that only counts up, until something else is there")
  func game() {
    let crawler = FakeCreative.game(taps: 5).explored()
    #expect(crawler.states.map(\.seen.text) == ["0 of 5", "Well done"])
    #expect(crawler.states[1].path.filter { $0 == .tap(.selector("#star")) }.count == 5)
    #expect(crawler.ways.contains("2 tap #install 2"))
    #expect(crawler.ways.filter { $0 == "1 tap #star 1" }.count == 1)
    #expect(crawler.ways.filter { $0 == "1 tap #star 2" }.count == 1)
  }

  @Test("gives up an act that counts up without an end")
  func endlessGame() {
    let crawler = FakeCreative.game(taps: 100).explored()
    #expect(crawler.states.count == 1)
    #expect(crawler.cut == nil)
    #expect(crawler.actions == crawler.edges.count + Crawler.mostRepeats)
  }

  @Test("repeats nothing where numbers change by themselves")
  func clock() {
    var creative = FakeCreative.game(taps: 100)
    creative.rooms["start"]?.ways["journey"] = "1"
    for place in 1..<100 { creative.rooms["\(place)"]?.ways["journey"] = "\(place + 1)" }
    let crawler = creative.explored()
    #expect(crawler.states.count == 1)
    #expect(crawler.actions == crawler.edges.count)
  }

  @Test("ends with the first trial when the creative doesn't load")
  func unloadable() {
    var crawler = Crawler(placement: .banner, screen: Size(width: 390, height: 800))
    let trial = crawler.start()
    let record = RenderRecord(
      creative: .init(path: "x"), device: .init(name: "d", width: 1, height: 1, scale: 1, renderScale: 1),
      outcome: .failed, failure: .creative("ad-load-failed", "no"))
    #expect(crawler.handleResult(TrialResult(trial: trial, record: record, events: [], observations: [])).isEmpty)
    #expect(crawler.isDone)
    #expect(crawler.failure?.code == "ad-load-failed")
  }

  @Test("leaves a browser to the host's close, and an ad that is gone alone")
  func ends() {
    let crawler = FakeCreative.menu.explored()
    #expect(crawler.ways.filter { $0.hasPrefix("4 ") } == ["4 close 3"])
    var creative = FakeCreative.menu
    creative.rooms["start"]?.ways["#open"] = "gone"
    creative.rooms["gone"] = FakeCreative.Room(targets: [.button("#ghost")], document: nil)
    #expect(creative.explored().states.map(\.name) == ["default", "gone"])
    #expect(creative.explored().states[1].acts == 0)
  }
}

@Suite("Exploring with swipes and typing")
struct TouchTests {
  private static func surface(
    _ place: Double, _ directions: [SwipeDirection], _ reasons: [String] = ["overflow-x"], shows: String = ""
  ) -> SwipeSurface {
    SwipeSurface(
      selector: "#row", element: "#row", reasons: reasons, directions: directions, place: Point(x: place, y: 0),
      shows: shows)
  }

  /// Three slides that read the same, with a button on the last.
  private static let slides = FakeCreative(rooms: [
    "start": .init(surfaces: [surface(0, [.left])], ways: ["#row left": "second"]),
    "second": .init(surfaces: [surface(1, [.left, .right])], ways: ["#row left": "third", "#row right": "start"]),
    "third": .init(
      targets: [.button("#buy")], surfaces: [surface(3, [.right])], ways: ["#row right": "second", "#buy": "sold"]),
    "sold": .init(text: "Sold", targets: [.button("#again")], ways: ["#again": "start"]),
  ])

  /// A form of two fields whose button comes when both are filled in.
  private static let form = FakeCreative(rooms: [
    "start": .init(
      targets: [.button("#name")],
      fields: [
        EntryField(selector: "#name", element: "#name", group: "#form"),
        EntryField(selector: "#size", element: "#size", kind: .choice, entry: "Large", group: "#form"),
        EntryField(selector: "#other", element: "#other"),
      ], ways: ["#name": "half", "#size": "nowhere"]),
    "half": .init(
      fields: [EntryField(selector: "#name", element: "#name", isFilled: true, group: "#form")],
      ways: ["#size": "full"]),
    "full": .init(
      targets: [.button("#send")],
      fields: [
        EntryField(selector: "#name", element: "#name", isFilled: true, group: "#form"),
        EntryField(selector: "#size", element: "#size", kind: .choice, entry: "Large", isFilled: true, group: "#form"),
      ], ways: ["#send": "start"]),
  ])

  @Test("follows a list slide by slide, though its text and targets stay the same")
  func slides() {
    let found = Self.slides.exploration()
    #expect(found.states.count == 4)
    let ways = found.edges.map { "\($0.from) \($0.act.label) \($0.to ?? 0)" }.filter { $0.contains("#") }
    #expect(
      ways == [
        "1 swipe #row left 2", "2 swipe #row left 3", "2 swipe #row right 1", "3 tap #buy 4", "3 swipe #row right 2",
        "4 tap #again 1",
      ])
    #expect(found.anomalies.isEmpty)
  }

  @Test("tells a carousel's slides apart by what they show")
  func shows() {
    var creative = Self.slides
    for (room, shows) in [("start", "#a"), ("second", "#b"), ("third", "#c")] {
      creative.rooms[room]?.surfaces = [Self.surface(0, [.left, .right], ["listener:touchmove"], shows: shows)]
    }
    #expect(creative.exploration().states.count == 4)
  }

  @Test("replays a swipe as one step, without a pause for what the engine itself scrolls")
  func replay() {
    let paths = Self.slides.exploration().states.map(\.path)
    #expect(paths[1] == [.swipeOver("#row", .left)])
    #expect(paths[2].prefix(2) == [.swipeOver("#row", .left), .swipeOver("#row", .left)])
  }

  @Test("fills in all of a form at once, taps no field for itself, and expects what was typed at the end")
  func form() {
    let found = Self.form.exploration()
    #expect(found.edges.map(\.act.label).prefix(2) == ["fill in #name, #size", "fill in #other"])
    let filled = found.states.first { $0.seen.fields.contains { $0.element == "#size" && $0.isFilled } }
    #expect(
      filled?.path.prefix(2) == [
        .type(text: "Galley", into: .selector("#name")), .choose(option: "Large", from: .selector("#size")),
      ])
    let values = (filled?.expectations ?? []).compactMap { expectation -> JSONValue? in
      if case .evaluate(_, let value) = expectation { value } else { nil }
    }
    #expect(values.contains("Galley") && values.contains("Large"))
  }

  @Test("a swipe that does nothing is odd where none does anything, and only where something claims that it does")
  func deadSwipe() {
    var creative = FakeCreative(rooms: [
      "start": .init(surfaces: [Self.surface(0, [.left, .right], ["listener:touchmove"])], ways: [:])
    ])
    #expect(creative.exploration().odd == ["dead-swipe in 1: swipe #row left"])
    creative.rooms["start"]?.events["#row right"] = [(.creative, "open", [:])]
    #expect(creative.exploration().odd == [])
    creative.rooms["start"]?.events = [:]
    for reason in ["listener:touchmove@document", "overflow-y"] {
      creative.rooms["start"]?.surfaces = [Self.surface(0, [.left], [reason])]
      #expect(creative.exploration().odd == [], "\(reason)")
    }
  }

  @Test("a field that takes nothing is odd")
  func deadField() {
    let creative = FakeCreative(rooms: ["start": .init(fields: [EntryField(selector: "#name", element: "#name")])])
    #expect(creative.exploration().odd == ["dead-field in 1: fill in #name"])
  }

  @Test("finds the same in whatever order the trials come back")
  func order() {
    for creative in [Self.slides, Self.form] {
      let one = creative.explored()
      let two = creative.explored(atOnce: 3) { $0.reversed() }
      #expect(one.ways == two.ways)
      #expect(one.states.map(\.path) == two.states.map(\.path))
    }
  }
}
