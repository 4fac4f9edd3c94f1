/// What a person has said to being tracked; nil where a page is told nothing at all.
package enum Consent: String, CaseIterable, Hashable, Sendable, Codable {
  case granted, refused
  /// The question is on the screen and has no answer yet.
  case undecided

  /// Whether nobody may be tracked, which no answer means as well.
  package var forbids: Bool { self != .granted }
}
