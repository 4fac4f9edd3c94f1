package import Jobs

/// One fresh load of the creative that goes a known way and tries one thing more.
package struct Trial: Sendable {
  /// From 0, which only looks at what is there; the order in which results are taken in.
  package let number: Int
  /// The state it starts from; nil for the first trial.
  package let from: Int?
  /// What it tries; nil for the first trial.
  package let act: Act?
  /// The way to the state it starts from.
  let path: [Scenario.Action]
  /// What that state looked like when it was found.
  let start: StateSignature?

  /// What looks at the screen are called: the first trial's only one, and the three that others have.
  package static let begin = "start", before = "before", away = "away", after = "after"

  /// The scenario it is rendered by.
  package func scenario(placement: Placement?) -> Scenario {
    var actions = path
    if let act {
      // It may have been found long after the load, and what is to be tapped may come by and by.
      if let start { actions.append(.reach(start)) }
      actions += [.observe(Self.before)] + act.going
      // Nothing is drawn in the background, and so there is nothing to picture.
      if !act.returning.isEmpty, act.kind != .background { actions.append(.observe(Self.away)) }
      actions += act.returning
    }
    actions.append(.observe(act == nil ? Self.begin : Self.after))
    return Scenario(source: "exploring", placement: placement, steps: actions.steps)
  }
}

extension [Scenario.Action] {
  /// As steps of a scenario, a line each.
  var steps: [Scenario.Step] { enumerated().map { Scenario.Step(line: $0 + 1, action: $1) } }
}
