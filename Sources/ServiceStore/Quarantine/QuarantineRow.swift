internal import GRDB

/// A creative under which workers died.
package struct QuarantineRow: Hashable, Sendable {
  /// What it is known by.
  package let content: String
  package let losses: Int
  /// How the last worker ended.
  package let reason: String
  /// The last loss, in milliseconds since 1970.
  package let since: Int64

  init(_ row: Row) {
    content = row["content"]
    losses = row["losses"]
    reason = row["reason"]
    since = row["since"]
  }
}
