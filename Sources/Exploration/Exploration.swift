package import RenderModel

/// All that an exploration found; nothing in it is judged.
package struct Exploration: Sendable {
  package let states: [StateNode]
  package let edges: [Edge]
  package let anomalies: [Anomaly]
  /// Nil when the creative's files can't be read, as at an address.
  package let vocabulary: MRAIDUsage?
  package let coverage: Coverage
  package let replays: [Replay]
  package let budget: Budget
  /// Things tried.
  package let actions: Int
  /// Which part of the budget ended it early.
  package let cut: Crawler.Cut?

  /// The replay of a trial.
  package func replay(of trial: Int) -> Replay? { replays.first { $0.trial == trial } }

  /// The picture of an act that goes there and back: its name below `states`.
  package func awayName(of edge: Edge) -> String? {
    edge.awayScreenshot.map { _ in "\(states[edge.from - 1].slug)-\(edge.act.kind.rawValue)" }
  }
}

extension Crawler {
  /// What there is to tell once every trial has come back.
  package func exploration(placement: Placement, vocabulary: MRAIDUsage?) -> Exploration {
    var anomalies = anomalies
    anomalies.close(states: states, edges: edges, results: unmoved, placement: planner.placement)
    let plan = ReplayPlan(
      states: states, edges: edges, anomalousTrials: Set(anomalies.all.map(\.trial)),
      placement: placement == Placement(kind: .banner) ? nil : placement)
    return Exploration(
      states: states, edges: edges, anomalies: anomalies.all, vocabulary: vocabulary,
      coverage: Coverage(coverage, vocabulary: vocabulary ?? MRAIDUsage(), placement: placement.kind),
      replays: plan.replays, budget: budget, actions: actions, cut: cut)
  }
}

/// A scenario that replays one way through the creative.
package struct Replay: Sendable {
  /// `02-expanded.yaml`, below `scenarios`.
  package let file: String
  /// What it replays, in words.
  package let title: String
  package let scenario: Scenario
  /// The trial that it replays.
  let trial: Int
}

/// Which ways are worth a file: to each state, to wherever else an act led, and into everything odd.
struct ReplayPlan {
  let states: [StateNode]
  let edges: [Edge]
  /// Trials in which something odd was met.
  let anomalousTrials: Set<Int>
  /// As the scenario has to ask for it.
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
