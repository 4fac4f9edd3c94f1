package import Core
internal import MRAID
package import RenderModel

/// Finds its way through a creative: takes results of trials and returns further trials. A value that renders nothing.
///
/// Results are processed in the order of their trials' numbers, whatever the order of their arrival, and acts of one
/// tier end before those of the next begin. So the choice of trials doesn't depend on the speed of rendering or on the
/// number of parallel renders.
package struct Crawler: Sendable {
  let budget: Budget
  let planner: UserActionPlanner
  package private(set) var states: [StateNode] = []
  package private(set) var edges: [Edge] = []
  var anomalies = AnomalyList()
  var coverage = CoverageCount()
  /// Trials, each with true if its tap can be called dead, as the screenshots are alike as far as they can be compared.
  var unmoved: [Int: Bool] = [:]
  /// Part of the budget that ran out, so that possible trials weren't made; nil if none did.
  package private(set) var cut: Cut?
  /// Record of the first trial if it failed or showed no state; nil otherwise.
  package private(set) var failure: RenderRecord?
  /// Indicates if a trial failed because of an error in Galley itself.
  package private(set) var engineFailed = false
  /// Indicates if places whose texts differ, if only in numbers, were taken for one state.
  private(set) var mergesNumbers = false
  /// Seconds of rendering so far.
  private var seconds = 0.0
  private var issued: [Trial] = []
  private var early: [Int: TrialResult] = [:]
  private var taken = 0
  private var waiting: [UserAction.Tier: [Wish]] = [:]
  /// Acts that changed only numbers, to be repeated when nothing else is left to try.
  private var unfinished: [Wish] = []
  /// States in which an act left all numbers alone, so that no clock changes them.
  private var steady: Set<Int> = []
  private var journeyed: Set<Place> = []

  /// Part of the budget that was used up.
  package enum Cut: String, Sendable, Codable { case actions, seconds }

  private struct Wish: Sendable {
    let state: Int
    let act: UserAction
    /// Steps to the state before the act.
    let path: [Scenario.Action]
    var repeats = 0
  }

  /// Maximum number of times that an act which only changes numbers is repeated.
  package static let mostRepeats = 15

  /// Place in which rotating, scrolling and leaving the app are tried only once, whatever else the page shows.
  private struct Place: Hashable, Sendable {
    let state: MRAIDState
    let modals: [String]
    let document: String?
  }

  /// Creates a crawler for a screen of this size in dip.
  package init(placement: Placement.Kind, screen: Size, budget: Budget = Budget()) {
    planner = UserActionPlanner(placement: placement, screen: screen)
    self.budget = budget
  }

  /// Returns the first trial, which loads the creative without any action by the user.
  package mutating func start() -> Trial {
    let trial = Trial(number: 0, from: nil, act: nil, path: [], start: nil)
    issued = [trial]
    return trial
  }

  /// Indicates if the results of all trials made so far were processed.
  package var isDone: Bool { taken == issued.count }
  /// Number of acts tried.
  package var actions: Int { max(0, issued.count - 1) }

  /// Adds a result and returns the trials to render next.
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
    if let edge, edge.leaves || result.trial.repeats == 0 { edges.append(edge) }
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
    let game = result.after?.game
    // A game is repeated by the moves that were made in it.
    let steps = result.trial.path + (game?.steps ?? act.going) + act.returning
    if let again = game.flatMap(planner.again) { issue(Wish(state: from, act: again, path: result.trial.path)) }
    guard result.record.outcome == .completed, let before = result.before, let after = result.after else {
      return Edge(
        from: from, act: act, end: .failed(code: result.record.code ?? result.record.outcome.rawValue), effects: [],
        trial: result.trial.number, steps: steps, expectations: [], awayScreenshot: nil)
    }
    let way = Way(from: before, to: after, by: act, events: result.events)
    let path = steps + way.waits
    // A way back to where it began proves nothing of the page.
    let number = reach(after, path: path, expectations: way.expectations, trial: result.trial.number)
    if number == from {
      if before.text == after.text { steady.insert(from) } else { planAgain(result.trial, act, path) }
    }
    return Edge(
      from: from, act: act, end: .state(number), effects: Effects(result).words, trial: result.trial.number,
      steps: path, expectations: way.expectations, awayScreenshot: result.away?.picture, game: game,
      opensStore: result.news.contains(where: \.isStoreCall))
  }

  /// Returns the number of the state; a state seen for the first time is stored and its acts are planned.
  private mutating func reach(
    _ seen: PageSnapshot, path: [Scenario.Action], expectations: [Scenario.Expectation], trial: Int
  ) -> Int {
    let signature = StateSignature(seen)
    if let known = states.first(where: { $0.signature == signature }) {
      if known.seen.text != seen.text { mergesNumbers = true }
      return known.number
    }
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
      let wish = Wish(state: node.number, act: act, path: node.path)
      if act.tier == .claimed { issue(wish) } else { waiting[act.tier, default: []].append(wish) }
    }
  }

  /// Plans an act once more that changed only numbers, such as a game's score: the game may end after some more.
  private mutating func planAgain(_ trial: Trial, _ act: UserAction, _ path: [Scenario.Action]) {
    guard act.kind == .tap || act.kind == .swipe, trial.repeats < Self.mostRepeats else { return }
    unfinished.append(Wish(state: trial.from ?? 1, act: act, path: path, repeats: trial.repeats + 1))
  }

  /// Starts the next tier that has acts left, and after the last one the acts to be repeated.
  private mutating func startNextTier() {
    while isDone, let tier = waiting.keys.min() {
      for wish in waiting.removeValue(forKey: tier) ?? [] { issue(wish) }
    }
    guard isDone else { return }
    let again = unfinished
    unfinished = []
    for wish in again where steady.contains(wish.state) { issue(wish) }
  }

  private mutating func issue(_ wish: Wish) {
    if actions >= budget.actions { cut = cut ?? .actions }
    guard cut == nil else {
      if wish.repeats == 0 { states[wish.state - 1].untried.append(wish.act.label) }
      return
    }
    issued.append(
      Trial(
        number: issued.count, from: wish.state, act: wish.act, path: wish.path,
        start: states[wish.state - 1].signature, repeats: wish.repeats))
  }
}

extension PageSnapshot {
  /// Name of the state: `browser` or `video` for the host's, `gone` if the ad is, else MRAID's own name.
  var placeName: String {
    if let top = modals.last, top == "browser" || top == "video" { return top }
    return document == nil && state != .hidden ? "gone" : state.rawValue
  }
}

/// Limits for the cost of an exploration.
package struct Budget: Hashable, Sendable {
  /// Maximum number of acts tried, each from a fresh load.
  package var actions: Int
  /// Maximum number of seconds of rendering; a safeguard, since its effect depends on the machine.
  package var seconds: Double

  package init(actions: Int = 60, seconds: Double = 120) {
    self.actions = actions
    self.seconds = seconds
  }
}
