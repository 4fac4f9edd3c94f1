internal import Core

/// Ids of checks that have another since schema 2.
package enum RetiredChecks {
  private static let names = [
    "miner": "crypto-miner", "sound-or-film": "media", "endless-events": "event-flood",
    "unasked-expansion": "expand-without-gesture", "automatic-open": "open-without-gesture",
    "own-close": "custom-close-button", "lost-on-return": "state-not-restored", "unopenable": "unreadable-creative",
  ]

  /// The id that was probably meant by one that no check has: its new one, else the nearest.
  package static func suggestion(for id: String) -> String? {
    names[id] ?? Suggestion.nearest(to: id, among: Check.all.map(\.id))
  }
}
