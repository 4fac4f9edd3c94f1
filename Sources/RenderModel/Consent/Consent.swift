/// The user's choice about tracking. In optional values, nil means that a page gets no consent signals at all.
package enum Consent: String, CaseIterable, Hashable, Sendable, Codable {
  case granted, refused
  /// The question is on the screen and hasn't been answered yet.
  case undecided

  /// Indicates if tracking is forbidden; an unanswered question forbids it as well.
  package var forbids: Bool { self != .granted }
}
