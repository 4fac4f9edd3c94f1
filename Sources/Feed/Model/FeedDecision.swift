/// Why a slot is there, or isn't.
package struct FeedDecision: Hashable, Sendable {
  /// Whose decision it is.
  package var type: ContentType
  /// Where the slot was put, counted when it was; nil for none.
  package var position: Int?
  /// In a line, from the rules.
  package var reason: String

  /// A slot at `position`, or with nil none.
  package init(_ type: ContentType, at position: Int?, _ reason: String) {
    self.type = type
    self.position = position
    self.reason = reason
  }
}
