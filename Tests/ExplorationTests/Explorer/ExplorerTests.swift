import Exploration
import Jobs
import MRAID
import Testing

@Suite("An explorer")
struct ExplorerTests {
  @Test("finds every state, each by its shortest way")
  func everyState() {
    let explorer = FakeCreative.menu.explored()
    #expect(explorer.states.map(\.name) == ["default", "expanded", "expanded", "browser"])
    #expect(explorer.states.map(\.slug) == ["01-default", "02-expanded", "03-expanded", "04-browser"])
    #expect(explorer.states[0].path == [])
    #expect(
      explorer.states[3].path == [
        .tap(.selector("#open")), .wait(.init(.state(.expanded))), .tap(.selector("#sea")),
        .wait(.init(.visible("#crab"))), .tap(.selector("#crab")), .wait(.init(.event("modal/push", count: 2))),
      ])
    #expect(explorer.ways.contains("4 close 3"))
    #expect(explorer.ways.contains("3 tap #back 2"))
    #expect(explorer.cut == nil)
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
    var explorer = Explorer(placement: .banner, scrollDistance: 800)
    let first = explorer.start()
    #expect(first.scenario(placement: nil).steps.map(\.action) == [.observe(Trial.begin)])
    let trials = explorer.take(creative.render(first))
    let start = try #require(explorer.states.first)
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
    let explorer = FakeCreative.menu.explored(Budget(actions: 3))
    #expect(explorer.edges.count == 3)
    #expect(explorer.cut == .actions)
    #expect(explorer.states.map { $0.acts - $0.untried.count }.reduce(0, +) == 3)
    #expect(explorer.states[1].untried.contains("close"))
    #expect(FakeCreative.menu.explored(Budget(actions: explorer.edges.count + 100)).cut == nil)
  }

  @Test("stops once its seconds are over")
  func seconds() {
    var creative = FakeCreative.menu
    creative.milliseconds = 1_000
    let explorer = creative.explored(Budget(seconds: 2.5))
    #expect(explorer.cut == .seconds)
    #expect(explorer.edges.count < FakeCreative.menu.explored().edges.count)
    #expect(explorer.isDone)
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

  @Test("ends with the first trial when the creative doesn't load")
  func unloadable() {
    var explorer = Explorer(placement: .banner, scrollDistance: 800)
    let trial = explorer.start()
    let record = RenderRecord(
      creative: .init(path: "x"), device: .init(name: "d", width: 1, height: 1, scale: 1, renderScale: 1),
      outcome: .failed, failure: .creative("load-failed", "no"))
    #expect(explorer.take(TrialResult(trial: trial, record: record, events: [], observations: [])).isEmpty)
    #expect(explorer.isDone)
    #expect(explorer.failure?.code == "load-failed")
  }

  @Test("leaves a browser to the host's close, and an ad that is gone alone")
  func ends() {
    let explorer = FakeCreative.menu.explored()
    #expect(explorer.ways.filter { $0.hasPrefix("4 ") } == ["4 close 3"])
    var creative = FakeCreative.menu
    creative.rooms["start"]?.ways["#open"] = "gone"
    creative.rooms["gone"] = FakeCreative.Room(targets: [.button("#ghost")], document: nil)
    #expect(creative.explored().states.map(\.name) == ["default", "gone"])
    #expect(creative.explored().states[1].acts == 0)
  }
}
