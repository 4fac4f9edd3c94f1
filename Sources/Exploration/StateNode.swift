package import RenderModel

/// A state of the creative, and the shortest way to it that was found.
package struct StateNode: Sendable {
  /// Number from 1, in the order of discovery; 1 is the state after the load.
  package let number: Int
  /// Name of the state: `default`, `expanded`, `browser`, …
  package let name: String
  package let seen: PageSnapshot
  /// Steps from a fresh load to the state, with the waits that make them certain.
  package let path: [Scenario.Action]
  /// Conditions that hold in the state, as a scenario's expectations.
  package let expectations: [Scenario.Expectation]
  /// Number of the first trial that ended here; its last screenshot shows the state.
  package let trial: Int
  let signature: StateSignature
  /// Number of acts found in the state; `untried` has the labels of those that weren't tried.
  package internal(set) var acts = 0
  package internal(set) var untried: [String] = []

  /// Name of the state's screenshot and scenario, as `02-expanded`.
  package var slug: String { Slug.numbered(number, name) }
}

/// Result of trying an act in a state.
package struct Edge: Sendable {
  /// Outcome of the trial.
  package enum End: Hashable, Sendable {
    /// The trial ended in this state, which may be the one it started from.
    case state(Int)
    /// The render didn't complete.
    case failed(code: String)
  }

  package let from: Int
  package let act: UserAction
  package let end: End
  /// Effects of the act in words, by the log and the page; empty if it had none.
  package let effects: [String]
  package let trial: Int
  /// Steps that replay the act; `expectations` are the conditions that hold after them.
  package let steps: [Scenario.Action]
  package let expectations: [Scenario.Expectation]
  /// Path of the trial's screenshot halfway, if the act is undone afterwards.
  package let awayScreenshot: String?
  /// Game that was played; nil for other acts.
  package var game: PlayedGame?
  /// Indicates if the ad called for the store or its landing page during the act.
  package var opensStore = false

  /// Indicates if the act didn't end in the state it started from; true for a failed trial too.
  package var leaves: Bool { if case .state(from) = end { false } else { true } }
  /// Number of the state in which the act ends; nil for a failed trial.
  package var to: Int? { if case .state(let number) = end { number } else { nil } }
}

/// File names made from words.
enum Slug {
  /// Returns a name as `07-tap-buy`, of about 48 characters at most.
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
