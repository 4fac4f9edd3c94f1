extension Check {
  /// What a creative does to a person, and what a person can do with it.
  static let behaviourChecks: [Check] = [
    noClickthrough, clickWithoutOpen, clickTag, deadTap, unaskedExpansion, selfRemoval, earlyPlayback, audibleStart,
    journeyChanged,
  ]
}
