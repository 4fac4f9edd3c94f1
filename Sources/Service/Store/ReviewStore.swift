package import Comparison
package import Core
internal import GRDB

/// Reviews of renders, and the decisions about them and their baselines.
package struct ReviewStore: Sendable {
  let database: Store

  /// Stores the review of a new render; earlier open ones of the same token, project, branch and key are superseded.
  static func begin(_ review: Review, _ db: Database) throws {
    try db.run(
      sql: """
        INSERT OR REPLACE INTO review
          (render, creative, variant, comparison, state, revision, against, facts, number, owner)
        SELECT id, ?, ?, ?, ?, ?, ?, ?, number, owner FROM render WHERE id = ?
        """,
      arguments: [
        review.key.creative, review.key.variant, review.comparison.rawValue, review.state.rawValue,
        review.revision, review.against, review.facts.text, review.render,
      ])
    try db.run(
      sql: """
        UPDATE review SET state = 'superseded', revision = revision + 1
        WHERE state = 'open' AND creative = ? AND variant = ? AND EXISTS (
          SELECT 1 FROM render AS other, render AS own
          WHERE other.id = review.render AND own.id = ? AND other.number < own.number AND other.owner = own.owner
          AND \(sameLabel("project")) AND \(sameLabel("branch")))
        """, arguments: [review.key.creative, review.key.variant, review.render])
  }

  /// SQL condition that both renders have the same label of a name, or neither has one.
  private static func sameLabel(_ name: String) -> String {
    let value = { (render: String) in "(SELECT value FROM label WHERE label.render = \(render).id AND name = '\(name)')"
    }
    return "\(value("other")) IS \(value("own"))"
  }

  /// The review of a render; nil if it was never compared.
  package func review(_ render: String) async throws(Fault) -> Review? { try await all(of: [render])[render] }

  /// The reviews of some renders by their ids.
  package func all(of renders: [String]) async throws(Fault) -> [String: Review] {
    try await database.read { db in
      let marks = databaseQuestionMarks(count: renders.count)
      let rows = try Row.fetchAll(
        db, sql: "SELECT * FROM review WHERE render IN (\(marks))", arguments: StatementArguments(renders))
      return Dictionary(rows.map { ($0["render"], Review($0)) }, uniquingKeysWith: { $1 })
    }
  }

  /// Ids of renders with open reviews, newest first; `owner` is nil for those of all tokens.
  package func open(owner: String?, most: Int) async throws(Fault) -> [String] {
    try await database.read { db in
      let (found, arguments) = Self.openClause(owner)
      return try String.fetchAll(
        db, sql: "SELECT review.render \(found) ORDER BY review.number DESC LIMIT ?", arguments: arguments + [most])
    }
  }

  /// Number of renders with open reviews, at most `most`.
  package func countOpen(owner: String?, most: Int) async throws(Fault) -> Int {
    try await database.read { db in
      let (found, arguments) = Self.openClause(owner)
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM (SELECT 1 \(found) LIMIT ?)", arguments: arguments + [most]) ?? 0
    }
  }

  /// SQL for open reviews with the index to use; without it, SQLite would start from all renders of an owner.
  private static func openClause(_ owner: String?) -> (String, StatementArguments) {
    let index = owner == nil ? "reviewOpen" : "reviewOpenByOwner"
    let found = """
      FROM review INDEXED BY \(index) CROSS JOIN render ON render.id = review.render
      WHERE review.state = 'open' AND render.removed IS NULL
      """
    return owner.map { ("\(found) AND review.owner = ?", [$0]) } ?? (found, [])
  }

  /// Renders with open reviews for a baseline, newest first.
  package func open(of key: BaselineKey, most: Int) async throws(Fault) -> [RenderRow] {
    try await database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT render.* FROM review JOIN render ON render.id = review.render
          WHERE review.state = 'open' AND creative = ? AND variant = ? ORDER BY render.number DESC LIMIT \(most)
          """, arguments: [key.creative, key.variant]
      ).map(RenderRow.init)
    }
  }

  /// Replaces a review of a given revision, together with its decision; false if the revision is another by now.
  package func update(
    _ review: Review, from revision: Int, decision: Decision? = nil, hook: RenderCompletion.Message? = nil
  ) async throws(Fault) -> Bool {
    try await database.commit(UpdateReview(review: review, revision: revision, decision: decision, hook: hook))
  }

  /// Stores a decision that isn't about a render's review.
  package func keep(_ decision: Decision) async throws(Fault) {
    try await database.commit(KeepDecision(decision: decision))
  }

  /// Decisions about a baseline, the latest first.
  package func decisions(of key: BaselineKey, most: Int) async throws(Fault) -> [Decision] {
    try await database.read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM decision WHERE creative = ? AND variant = ? ORDER BY number DESC LIMIT ?",
        arguments: [key.creative, key.variant, most]
      ).map(Decision.init)
    }
  }

  /// The latest decision about a render that wasn't undone; nil if there is none.
  package func decision(on render: String) async throws(Fault) -> Decision? {
    try await database.read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT * FROM decision WHERE render = ? AND undone IS NULL AND action != 'undo' ORDER BY number DESC LIMIT 1
          """, arguments: [render]
      ).map(Decision.init)
    }
  }

  /// Keys of baselines with decisions, including removed baselines.
  package func decidedKeys() async throws(Fault) -> [BaselineKey] {
    try await database.read { db in
      try Row.fetchAll(db, sql: "SELECT DISTINCT creative, variant FROM decision ORDER BY creative, variant").map {
        BaselineKey(creative: $0["creative"], variant: $0["variant"])
      }
    }
  }

  static func insert(_ decision: Decision, _ db: Database) throws {
    try db.run(
      sql: """
        INSERT INTO decision
          (creative, variant, render, action, who, instant, comment, parts, before, after, undoes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        decision.key.creative, decision.key.variant, decision.render, decision.action.rawValue, decision.who,
        decision.timestamp, decision.comment, decision.parts?.joined(separator: "\n"), decision.before,
        decision.after, decision.undoes,
      ])
    let number = db.lastInsertedRowID
    if let undone = decision.undoes {
      try db.run(sql: "UPDATE decision SET undone = ? WHERE number = ?", arguments: [number, undone])
    }
  }
}

extension Store {
  /// Reviews of renders, and decisions.
  package var reviews: ReviewStore { ReviewStore(database: self) }
}

struct UpdateReview: StoreChange {
  static let kind = "review"
  let review: Review
  /// The revision that the change is based on.
  let revision: Int
  var decision: Decision?
  var hook: RenderCompletion.Message?

  func apply(to db: Database) throws -> Bool {
    try db.run(
      sql: """
        UPDATE review SET comparison = ?, state = ?, revision = ?, against = ?, facts = ?
        WHERE render = ? AND revision = ?
        """,
      arguments: [
        review.comparison.rawValue, review.state.rawValue, revision + 1, review.against, review.facts.text,
        review.render, revision,
      ])
    guard db.changesCount == 1 else { return false }
    if let decision { try ReviewStore.insert(decision, db) }
    if let hook { try WebhookStore.insert(hook, of: review.render, due: decision?.timestamp ?? 0, db) }
    return true
  }
}

struct KeepDecision: StoreChange {
  static let kind = "decision"
  let decision: Decision

  func apply(to db: Database) throws { try ReviewStore.insert(decision, db) }
}
