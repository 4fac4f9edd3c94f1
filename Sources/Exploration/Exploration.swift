package import RenderModel

/// All findings of an exploration, without any verdict.
package struct Exploration: Sendable {
  package let states: [StateNode]
  package let edges: [Edge]
  package let anomalies: [Anomaly]
  /// MRAID methods that the creative's files name; nil if the files can't be read, as at an address.
  package let vocabulary: MRAIDUsage?
  package let coverage: Coverage
  package let replays: [Replay]
  package let budget: Budget
  /// Number of acts tried.
  package let actions: Int
  /// Part of the budget that ended it early; nil if none did.
  package let cut: Crawler.Cut?
  /// Indicates if places whose texts differ, if only in numbers, were taken for one state.
  package let mergesNumbers: Bool

  /// Returns the replay of a trial; nil if it has none.
  package func replay(of trial: Int) -> Replay? { replays.first { $0.trial == trial } }

  /// Way that shows most of the creative; nil if no act succeeded.
  ///
  /// A game that was played until it called for the store comes first, then any other way to the store. Of several the
  /// one with the most steps counts, then the first.
  package var fullestWay: Scenario? {
    func rank(_ edge: Edge) -> (Int, Int) {
      (edge.opensStore ? (edge.game == nil ? 1 : 2) : 0, edge.steps.count)
    }
    let best = edges.filter { $0.to != nil }.reduce(nil as Edge?) { best, edge in
      best.map { rank($0) >= rank(edge) } == true ? best : edge
    }
    return best.map { Scenario(source: "film", steps: $0.steps.steps) }
  }

  /// Returns the name, below `states`, of the screenshot halfway through an act that is undone; nil if there is none.
  package func awayName(of edge: Edge) -> String? {
    edge.awayScreenshot.map { _ in "\(states[edge.from - 1].slug)-\(edge.act.kind.rawValue)" }
  }
}

extension Crawler {
  /// Returns the findings once all trials' results were processed.
  package func exploration(placement: Placement, vocabulary: MRAIDUsage?) -> Exploration {
    var anomalies = anomalies
    anomalies.close(states: states, edges: edges, results: unmoved, placement: planner.placement)
    let plan = ReplayPlan(
      states: states, edges: edges, anomalousTrials: Set(anomalies.all.map(\.trial)),
      placement: placement == Placement(kind: .banner) ? nil : placement)
    return Exploration(
      states: states, edges: edges, anomalies: anomalies.all, vocabulary: vocabulary,
      coverage: Coverage(coverage, vocabulary: vocabulary ?? MRAIDUsage(), placement: placement.kind),
      replays: plan.replays, budget: budget, actions: actions, cut: cut,
      mergesNumbers: mergesNumbers)
  }
}

/// A scenario that replays one way through the creative.
package struct Replay: Sendable {
  /// Name of the file below `scenarios`, as `02-expanded.yaml`.
  package let file: String
  /// Description of the replayed way.
  package let title: String
  package let scenario: Scenario
  /// Number of the trial that it replays.
  let trial: Int
}

/// Choice of the ways that get a file: to each state, to any other place an act led to, and to each anomaly.
struct ReplayPlan {
  let states: [StateNode]
  let edges: [Edge]
  /// Numbers of the trials in which an anomaly was met.
  let anomalousTrials: Set<Int>
  /// Placement that the scenario asks for; nil for a plain banner, the default.
  let placement: Placement?

  var replays: [Replay] {
    var replays = states.map { state in
      make(state.slug, "to \(state.number) \(state.name)", state.path, state.expectations, state.trial)
    }
    let firsts = Set(states.map(\.trial))
    for edge in edges where !firsts.contains(edge.trial) && (edge.leaves || anomalousTrials.contains(edge.trial)) {
      let from = states[edge.from - 1]
      let slug = Slug.numbered(replays.count + 1, "\(from.name) \(edge.act.label)")
      replays.append(
        make(slug, "in \(from.number) \(from.name): \(edge.act.label)", edge.steps, edge.expectations, edge.trial))
    }
    return replays
  }

  private func make(
    _ slug: String, _ title: String, _ steps: [Scenario.Action], _ expectations: [Scenario.Expectation], _ trial: Int
  ) -> Replay {
    let actions = steps + (expectations.isEmpty ? [] : [.expect(expectations)])
    let file = slug + ".yaml"
    return Replay(
      file: file, title: title, scenario: Scenario(source: file, placement: placement, steps: actions.steps),
      trial: trial)
  }
}
