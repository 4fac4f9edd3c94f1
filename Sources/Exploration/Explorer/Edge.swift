package import Jobs

/// What came of trying something in a state.
package struct Edge: Sendable {
  /// How it ended.
  package enum End: Hashable, Sendable {
    /// In this state, which may be the same.
    case state(Int)
    /// The render didn't complete.
    case failed(code: String)
  }

  package let from: Int
  package let act: Act
  package let end: End
  /// What the log and the page show of it, in words; empty when nothing came of it.
  package let effects: [String]
  package let trial: Int
  /// Steps that replay it, and what holds after them.
  package let steps: [Scenario.Action]
  package let expectations: [Scenario.Expectation]
  /// The trial's picture half-way, when the act goes there and back.
  package let awayPicture: String?

  /// Whether it leads to another state.
  package var leaves: Bool { if case .state(from) = end { false } else { true } }
  /// The state it ends in.
  package var to: Int? { if case .state(let number) = end { number } else { nil } }
}
