internal import GRDB

/// A creative under which something died.
package struct QuarantineRow: Hashable, Sendable {
  /// What it is known by.
  package let content: String
  /// Deaths, each once.
  package let losses: Int
  /// How the last of them came about.
  package let reason: String
  /// The last loss, in milliseconds since 1970.
  package let since: Int64
  /// Ids of the renders that were hit, as far as they are known.
  package let renders: [String]

  init(_ row: Row) {
    content = row["content"]
    losses = row["losses"]
    reason = row["reason"]
    since = row["since"]
    renders = (row["renders"] as String? ?? "").split(separator: ",").map(String.init).sorted()
  }
}
