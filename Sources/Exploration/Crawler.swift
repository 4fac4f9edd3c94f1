internal import Core
internal import MRAID
package import RenderModel

/// Finds its way through a creative: results of trials in, further trials out. A value; nothing in it renders.
///
/// Results are taken in by their trials' numbers, however they come, and acts of one tier end before those of the next
/// begin. So what is tried doesn't depend on how fast or how many at a time the trials are rendered.
package struct Crawler: Sendable {
  let budget: Budget
  let planner: UserActionPlanner
  package private(set) var states: [StateNode] = []
  package private(set) var edges: [Edge] = []
  var anomalies = AnomalyList()
  var coverage = CoverageCount()
  /// Trials whose tap can be called dead: those whose pictures, as far as they can be compared, are alike.
  var unmoved: [Int: Bool] = [:]
  /// Why trials that could have been made weren't.
  package private(set) var cut: Cut?
  /// How the first trial ended, when it didn't get anywhere.
  package private(set) var failure: RenderRecord?
  /// Whether a trial failed by Galley's fault.
  package private(set) var engineFailed = false
  /// Seconds of rendering so far.
  private var seconds = 0.0
  private var issued: [Trial] = []
  private var early: [Int: TrialResult] = [:]
  private var taken = 0
  private var waiting: [UserAction.Tier: [Wish]] = [:]
  private var journeyed: Set<Place> = []

  /// Which part of the budget was used up.
  package enum Cut: String, Sendable, Codable { case actions, seconds }

  private struct Wish: Sendable {
    let state: Int
    let act: UserAction
  }

  /// Where the person need only turn the device once, whatever the page shows.
  private struct Place: Hashable, Sendable {
    let state: MRAIDState
    let modals: [String]
    let document: String?
  }

  /// `scrollDistance` takes a banner out of view.
  package init(placement: Placement.Kind, scrollDistance: Double, budget: Budget = Budget()) {
    planner = UserActionPlanner(placement: placement, scrollDistance: scrollDistance)
    self.budget = budget
  }

  /// The first trial: what is there without anybody doing anything.
  package mutating func start() -> Trial {
    let trial = Trial(number: 0, from: nil, act: nil, path: [], start: nil)
    issued = [trial]
    return trial
  }

  /// Whether every trial has come back.
  package var isDone: Bool { taken == issued.count }
  /// Things tried.
  package var actions: Int { max(0, issued.count - 1) }

  /// Takes a result in and says what to render next.
  package mutating func handleResult(_ result: TrialResult) -> [Trial] {
    early[result.trial.number] = result
    let known = issued.count
    while let next = early.removeValue(forKey: taken) {
      taken += 1
      commit(next)
      if isDone { startNextTier() }
    }
    return Array(issued[known...])
  }

  private mutating func commit(_ result: TrialResult) {
    seconds += (result.record.timings["total"] ?? 0) / 1_000
    if seconds > budget.seconds { cut = cut ?? .seconds }
    if result.record.outcome != .completed, result.record.origin == .engine { engineFailed = true }
    coverage.add(result)
    unmoved[result.trial.number] = result.stoodStill
    let edge = result.trial.act == nil ? nil : makeEdge(result)
    if result.trial.act == nil { begin(result) }
    if let edge { edges.append(edge) }
    anomalies.findAnomalies(at: result, edge: edge, states: states)
  }

  private mutating func begin(_ result: TrialResult) {
    guard result.record.outcome == .completed, let after = result.after else {
      failure = result.record
      return
    }
    let way = Way(from: nil, to: after, by: nil, events: result.events)
    _ = reach(after, path: way.waits, expectations: way.expectations, trial: 0)
  }

  private mutating func makeEdge(_ result: TrialResult) -> Edge? {
    guard let act = result.trial.act, let from = result.trial.from else { return nil }
    let steps = result.trial.path + act.going + act.returning
    guard result.record.outcome == .completed, let before = result.before, let after = result.after else {
      return Edge(
        from: from, act: act, end: .failed(code: result.record.code ?? result.record.outcome.rawValue), effects: [],
        trial: result.trial.number, steps: steps, expectations: [], awayScreenshot: nil)
    }
    let way = Way(from: before, to: after, by: act, events: result.events)
    let path = steps + way.waits
    // A way back to where it began proves nothing of the page.
    let number = reach(after, path: path, expectations: way.expectations, trial: result.trial.number)
    return Edge(
      from: from, act: act, end: .state(number), effects: Effects(result).words, trial: result.trial.number,
      steps: path, expectations: way.expectations, awayScreenshot: result.away?.picture)
  }

  /// The state's number; one seen for the first time is kept and its acts are planned.
  private mutating func reach(
    _ seen: PageSnapshot, path: [Scenario.Action], expectations: [Scenario.Expectation], trial: Int
  ) -> Int {
    let signature = StateSignature(seen)
    if let known = states.first(where: { $0.signature == signature }) { return known.number }
    let node = StateNode(
      number: states.count + 1, name: seen.placeName, seen: seen, path: path, expectations: expectations, trial: trial,
      signature: signature)
    states.append(node)
    plan(node)
    return node.number
  }

  private mutating func plan(_ node: StateNode) {
    let place = Place(state: node.seen.state, modals: node.seen.modals, document: node.seen.document)
    let acts = planner.acts(in: node.seen, withJourneys: journeyed.insert(place).inserted)
    states[node.number - 1].acts = acts.count
    for act in acts {
      let wish = Wish(state: node.number, act: act)
      if act.tier == .claimed { issue(wish) } else { waiting[act.tier, default: []].append(wish) }
    }
  }

  /// Goes on to the next tier that has anything left.
  private mutating func startNextTier() {
    while isDone, let tier = waiting.keys.min() {
      for wish in waiting.removeValue(forKey: tier) ?? [] { issue(wish) }
    }
  }

  private mutating func issue(_ wish: Wish) {
    if actions >= budget.actions { cut = cut ?? .actions }
    guard cut == nil else { return states[wish.state - 1].untried.append(wish.act.label) }
    issued.append(
      Trial(
        number: issued.count, from: wish.state, act: wish.act, path: states[wish.state - 1].path,
        start: states[wish.state - 1].signature))
  }
}

extension PageSnapshot {
  /// What a state is called: the host's browser or player, a gone ad, else MRAID's own name.
  var placeName: String {
    if let top = modals.last, top == "browser" || top == "video" { return top }
    return document == nil && state != .hidden ? "gone" : state.rawValue
  }
}

/// How much an exploration may cost.
package struct Budget: Hashable, Sendable {
  /// Things tried, each from a fresh load.
  package var actions: Int
  /// Seconds of rendering; a guard, since what it cuts depends on the machine.
  package var seconds: Double

  package init(actions: Int = 60, seconds: Double = 120) {
    self.actions = actions
    self.seconds = seconds
  }
}
