internal import GRDB

/// Something that an address still has to be told.
package struct Hook: Hashable, Sendable {
  /// The same at every attempt, so that the receiver can tell a repetition.
  package let id: String
  package let render: String
  package let address: String
  /// The host that takes it, of which a slow one mustn't keep the others waiting.
  package let receiver: String
  package let body: String
  /// Attempts so far.
  package let attempts: Int
  /// Milliseconds since 1970; nil when nothing more is tried.
  package let due: Int64?

  init(_ row: Row) {
    id = row["id"]
    render = row["render"]
    address = row["address"]
    receiver = row["receiver"]
    body = row["body"]
    attempts = row["attempts"]
    due = row["due"]
  }
}
