package import Exploration
package import Jobs

/// What exploring found that no single log tells.
package struct ExploredStates: Sendable {
  /// Something odd, as `exploration.json` has it.
  package struct Odd: Hashable, Sendable {
    package var code: Oddity.Code
    package var message: String
    /// The state's number, nil while loading.
    package var state: Int?
    package var action: String?

    package init(_ code: Oddity.Code, _ message: String, state: Int? = nil, action: String? = nil) {
      self.code = code
      self.message = message
      self.state = state
      self.action = action
    }
  }

  package var oddities: [Odd]
  /// What stood on the screen in each state, in the order they were found.
  package var states: [Observation]
  /// Whether everything that was found was tried.
  package var isComplete: Bool

  package init(oddities: [Odd] = [], states: [Observation] = [], isComplete: Bool = true) {
    self.oddities = oddities
    self.states = states
    self.isComplete = isComplete
  }
}
