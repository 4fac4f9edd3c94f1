package import Core
internal import GRDB

/// Webhooks of ended renders, until they are delivered.
package struct WebhookStore: Sendable {
  let database: Store

  /// Webhooks due at a time, longest waiting first, without those given and those to the given receivers.
  package func due(
    at timestamp: Int64, limit: Int, except webhooks: Set<String> = [], receivers: Set<String> = []
  ) async throws(Fault) -> [Webhook] {
    try await database.read { db in
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

  /// Time of the next webhook due after a given time; nil if there is none.
  package func next(after timestamp: Int64) async throws(Fault) -> Int64? {
    try await database.read {
      try Int64.fetchOne($0, sql: "SELECT min(due) FROM hook WHERE due > ?", arguments: [timestamp])
    }
  }

  /// Notes a successful delivery, after which no attempt is due.
  package func delivered(_ webhook: String, at timestamp: Int64) async throws(Fault) {
    try await database.commit(NoteDelivery(webhook: webhook, delivered: timestamp))
  }

  /// Notes a failed attempt; `due` is nil if it was the last.
  package func failed(_ webhook: String, problem: String, due: Int64?) async throws(Fault) {
    try await database.commit(NoteDelivery(webhook: webhook, due: due, problem: problem))
  }

  static func insert(_ hook: RenderCompletion.Message, of render: String, due: Int64, _ db: Database) throws {
    try db.run(
      sql: "INSERT INTO hook (id, render, address, receiver, body, due) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [hook.id, render, hook.address, hook.receiver, hook.body, due])
  }
}

extension Store {
  /// Webhooks of ended renders.
  package var webhooks: WebhookStore { WebhookStore(database: self) }
}

/// A webhook that may still have to be sent.
package struct Webhook: Hashable, Sendable {
  /// Id that is the same at every attempt, so that the receiver can recognise a repetition.
  package let id: String
  package let render: String
  package let address: String
  /// The receiving host; limits per host keep a slow one from delaying the others.
  package let receiver: String
  package let body: String
  /// Number of attempts so far.
  package let attempts: Int
  /// Time of the next attempt in milliseconds since 1970; nil if there is none.
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

/// The outcome of an attempt to send a webhook.
struct NoteDelivery: StoreChange {
  static let kind = "delivery"
  let webhook: String
  var delivered: Int64?
  /// Time of the next attempt in milliseconds since 1970; nil for none.
  var due: Int64?
  var problem: String?

  func apply(to db: Database) throws {
    try db.run(
      sql: """
        UPDATE hook SET delivered = coalesce(?, delivered), due = ?, problem = ?, attempts = attempts + 1 WHERE id = ?
        """,
      arguments: [delivered, due, problem, webhook])
  }
}
