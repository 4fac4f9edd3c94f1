package import Jobs
internal import MRAID

/// One thing a person can do in a state.
package struct Act: Hashable, Sendable {
  /// What kind of thing; the raw value is `exploration.json`'s.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case tap
    /// A finger that moves over something.
    case swipe
    /// Fills in every field of a form that is still as it began.
    case type
    /// The host's own close control.
    case close
    /// There and back again: what stays changed is worth knowing.
    case rotate, scroll, background
  }

  package var kind: Kind
  /// In words: `tap #buy`, `close`, `rotate and back`.
  package var label: String
  /// What is tapped.
  package var target: TapTarget?
  /// What is swiped over.
  package var surface: SwipeSurface?
  /// What is filled in.
  package var fields: [EntryField] = []
  /// The steps that do it, and those that undo it.
  package var going: [Scenario.Action]
  package var returning: [Scenario.Action] = []
  /// Acts of a higher tier wait until none of a lower one is left anywhere.
  package var tier: Tier

  /// How promising an act is, most first.
  package enum Tier: Int, Sendable, Comparable {
    /// The creative or the host says that it does something.
    case claimed
    /// It may well: pointers, things under a listener, what the person does to the device.
    case likely
    /// A place like any other.
    case blind

    package static func < (a: Tier, b: Tier) -> Bool { a.rawValue < b.rawValue }
  }
}
