package import Jobs

/// All that an exploration found; nothing in it is judged.
package struct Exploration: Sendable {
  package let states: [StateNode]
  package let edges: [Edge]
  package let oddities: [Oddity]
  /// Nil when the creative's files can't be read, as at an address.
  package let vocabulary: Vocabulary?
  package let coverage: Coverage
  package let replays: [Replay]
  package let budget: Budget
  /// Things tried.
  package let actions: Int
  /// Which part of the budget ended it early.
  package let cut: Explorer.Cut?

  /// The replay of a trial.
  package func replay(of trial: Int) -> Replay? { replays.first { $0.trial == trial } }

  /// The picture of an act that goes there and back: its name below `states`.
  package func awayName(of edge: Edge) -> String? {
    edge.awayPicture.map { _ in "\(states[edge.from - 1].slug)-\(edge.act.kind.rawValue)" }
  }
}

extension Explorer {
  /// What there is to tell once every trial has come back.
  package func exploration(placement: Placement, vocabulary: Vocabulary?) -> Exploration {
    var oddities = oddities
    oddities.close(states: states, edges: edges, results: unmoved, placement: planner.placement)
    let plan = ReplayPlan(
      states: states, edges: edges, oddTrials: Set(oddities.all.map(\.trial)),
      placement: placement == Placement(kind: .banner) ? nil : placement)
    return Exploration(
      states: states, edges: edges, oddities: oddities.all, vocabulary: vocabulary,
      coverage: Coverage(coverage, vocabulary: vocabulary ?? Vocabulary(), placement: placement.kind),
      replays: plan.replays, budget: budget, actions: actions, cut: cut)
  }
}
