package import RenderModel

/// A state the creative was brought to, and the shortest way there.
package struct StateNode: Sendable {
  /// From 1, in the order of discovery; 1 is where the creative stands once it has loaded.
  package let number: Int
  /// `default`, `expanded`, `browser`, …
  package let name: String
  package let seen: PageSnapshot
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
  package let act: UserAction
  package let end: End
  /// What the log and the page show of it, in words; empty when nothing came of it.
  package let effects: [String]
  package let trial: Int
  /// Steps that replay it, and what holds after them.
  package let steps: [Scenario.Action]
  package let expectations: [Scenario.Expectation]
  /// The trial's picture half-way, when the act goes there and back.
  package let awayScreenshot: String?

  /// Whether it leads to another state.
  package var leaves: Bool { if case .state(from) = end { false } else { true } }
  /// The state it ends in.
  package var to: Int? { if case .state(let number) = end { number } else { nil } }
}

/// File names from words.
enum Slug {
  /// `07-tap-buy`, at most 48 characters.
  static func numbered(_ number: Int, _ words: String) -> String {
    var slug = number < 10 ? "0\(number)" : "\(number)"
    var isGap = true
    for character in words.lowercased() where slug.count < 48 {
      if character.isASCII, character.isLetter || character.isNumber {
        if isGap { slug += "-" }
        slug.append(character)
        isGap = false
      } else {
        isGap = true
      }
    }
    return slug
  }
}
