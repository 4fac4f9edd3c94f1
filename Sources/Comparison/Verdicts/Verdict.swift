/// How two things compare.
package enum Verdict: String, Sendable, Encodable, CaseIterable {
  case same
  case different
  /// Only on the first side.
  case missing
  /// Only on the second.
  case new
  /// One side can't be read.
  case unreadable
}
