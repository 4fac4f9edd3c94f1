internal import Core

/// Former ids of checks that were renamed in schema 2.
package enum RetiredChecks {
  private static let names = [
    "miner": "crypto-miner", "sound-or-film": "media", "endless-events": "event-flood",
    "unasked-expansion": "expand-without-gesture", "automatic-open": "open-without-gesture",
    "own-close": "custom-close-button", "lost-on-return": "state-not-restored", "unopenable": "unreadable-creative",
  ]

  /// Returns the id that was probably meant by an unknown one: its new name, or else the most similar id.
  package static func suggestion(for id: String) -> String? {
    names[id] ?? Suggestion.nearest(to: id, among: Check.all.map(\.id))
  }
}
