package import Jobs

/// A state the creative was brought to, and the shortest way there.
package struct StateNode: Sendable {
  /// From 1, in the order of discovery; 1 is where the creative stands once it has loaded.
  package let number: Int
  /// `default`, `expanded`, `browser`, …
  package let name: String
  package let seen: Observation
  /// The steps from a fresh load, with the waits that make them certain.
  package let path: [Scenario.Action]
  /// What holds there, for scenarios.
  package let expectations: [Scenario.Expectation]
  /// The trial that came here first; its last picture shows the state.
  package let trial: Int
  let signature: StateSignature
  /// How many acts there were, and which of them weren't tried.
  package internal(set) var acts = 0
  package internal(set) var untried: [String] = []

  /// `02-expanded`: names its picture and scenario.
  package var slug: String { Slug.numbered(number, name) }
}
