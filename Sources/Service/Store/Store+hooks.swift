package import Core
internal import GRDB

extension Store {
  /// What is due by an instant, longest waiting first, but for these hooks and whatever goes to these receivers.
  package func webhooks(
    due timestamp: Int64, limit: Int, except webhooks: Set<String> = [], receivers: Set<String> = []
  ) async throws(Fault) -> [Webhook] {
    try await read { db in
      var arguments: StatementArguments = [timestamp]
      arguments += StatementArguments(webhooks) + StatementArguments(receivers)
      return try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM hook WHERE due <= ? AND id NOT IN (\(databaseQuestionMarks(count: webhooks.count)))
          AND receiver NOT IN (\(databaseQuestionMarks(count: receivers.count))) ORDER BY due, number LIMIT \(limit)
          """, arguments: arguments
      ).map(Webhook.init)
    }
  }

  /// When the next one is due after an instant; nil when none is.
  package func nextWebhook(after timestamp: Int64) async throws(Fault) -> Int64? {
    try await read { try Int64.fetchOne($0, sql: "SELECT min(due) FROM hook WHERE due > ?", arguments: [timestamp]) }
  }

  /// Notes that it was taken: nothing more is due.
  package func delivered(_ webhook: String, at timestamp: Int64) async throws(Fault) {
    try await commit(NoteDelivery(webhook: webhook, delivered: timestamp))
  }

  /// Notes a failed attempt; `due` is nil when it was the last.
  package func failed(_ webhook: String, problem: String, due: Int64?) async throws(Fault) {
    try await commit(NoteDelivery(webhook: webhook, due: due, problem: problem))
  }
}

/// Something that an address still has to be told.
package struct Webhook: Hashable, Sendable {
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
