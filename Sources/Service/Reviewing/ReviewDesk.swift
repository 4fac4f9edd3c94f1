internal import Comparison
internal import Core
internal import Foundation
internal import Scheduling

/// Compares renders with their baselines and carries out users' decisions.
///
/// Decisions are made one at a time; of two about the same render the second fails because it was decided.
struct ReviewDesk: Sendable {
  /// A user's request for a decision.
  struct Ruling: Sendable {
    let action: Decision.Action
    var comment: String?
    /// Names of the chosen parts; nil for all.
    var parts: [String]?
    /// The revision that the user has seen; nil to decide about the current one.
    var revision: Int?
  }

  let store: Store
  let data: DataFolder
  let approver: Approver
  /// The public address of the server; nil for the one that it listens on.
  let base: PublicAddress?
  /// Callback for when a webhook is ready to be sent.
  let webhookIsDue: @Sendable () -> Void
  private let turn = AsyncSemaphore(1)
  /// Maximum number of open renders compared again when their baseline changes; others follow when they are shown.
  private static let mostAtOnce = 20

  init(
    store: Store, data: DataFolder, approver: Approver, base: PublicAddress?,
    webhookIsDue: @escaping @Sendable () -> Void
  ) {
    (self.store, self.data, self.approver, self.base) = (store, data, approver, base)
    self.webhookIsDue = webhookIsDue
  }

  /// Compares a render that is about to end; nil if it left no result.
  func begin(_ id: String) async throws(Fault) -> Review? {
    guard let row = try await store.render(id) else { return nil }
    let sight: BaselineSight
    do throws(Fault) {
      sight = try await BaselineSight.of(row, data, approver)
    } catch {
      guard !error.has(.resultMissing) else { return nil }
      // The render itself is well.
      sight = BaselineSight(BaselineVariant.key(row), broken: error)
    }
    return Review(sight, of: id, isLabelled: Self.isLabelled(row))
  }

  /// The review of a render, compared again if its baseline has changed since; nil if there is none.
  func review(_ row: RenderRow) async throws -> Review? {
    guard let review = try await store.reviews.review(row.id), try await isOutdated(review) else {
      return try await store.reviews.review(row.id)
    }
    try await inTurn { try await refresh(row) }
    return try await store.reviews.review(row.id)
  }

  /// Carries out a decision about a render.
  ///
  /// - Throws: 409 if the review has changed since the user saw it, or was decided meanwhile.
  func decide(_ ruling: Ruling, on row: RenderRow, by who: String) async throws {
    try await inTurn {
      try await refresh(row)
      guard let review = try await store.reviews.review(row.id) else {
        throw Problem(409, "result-missing", "render '\(row.id)' has no result to compare")
      }
      if ruling.action == .undo { return try await undo(on: row, review, ruling, by: who) }
      try await check(review, ruling)
      if ruling.action == .reject { return try await reject(row, review, ruling, by: who) }
      try await accept(row, review, ruling, as: review.key, by: who)
    }
    webhookIsDue()
  }

  /// Approves a render as the baseline of any key, as API clients do, and records the decision.
  func approve(_ row: RenderRow, as key: BaselineKey, _ ruling: Ruling, by who: String) async throws {
    try await inTurn {
      let review = try await store.reviews.review(row.id)
      try await accept(row, review?.key == key ? review : nil, ruling, as: key, by: who)
    }
    webhookIsDue()
  }

  /// Removes a baseline and records the decision.
  func remove(_ key: BaselineKey, by who: String) async throws {
    try await inTurn {
      let change = try await approver.remove(key)
      var decision = Decision(.remove, of: key, render: nil, by: who, at: Instant.now)
      decision.before = change.before
      try await store.reviews.keep(decision)
      try await refreshOthers(of: key)
    }
  }

  /// Undoes a decision about a baseline: the latest one still in effect.
  func undo(_ number: Int64, of key: BaselineKey, by who: String) async throws {
    try await inTurn {
      let decisions = try await store.reviews.decisions(of: key, most: 200)
      guard let decision = decisions.first(where: { $0.number == number }) else {
        throw Problem.missing("decision \(number) about '\(key.text)'")
      }
      guard decision.undone == nil, decision.action != .reject else {
        throw Problem(409, "review-outdated", "decision \(number) is already undone or didn't change a baseline")
      }
      try await takeBack(decision, by: who)
    }
  }

  /// Runs a body under a lock of all servers.
  private func inTurn(_ body: @Sendable () async throws -> Void) async throws {
    try await turn.pass { try await data.together(body) }
  }

  private static func isLabelled(_ row: RenderRow) -> Bool {
    RenderRequest.read(row.request)?.isLabelled == true
  }
}

extension ReviewDesk {
  /// Indicates if the review is undecided and its baseline has changed since the comparison.
  private func isOutdated(_ review: Review) async throws(Fault) -> Bool {
    let isUndecided = review.state == .open || review.state == .superseded || review.comparison == .new
    guard isUndecided, review.state != .approved, review.state != .rejected else { return false }
    return try await approver.current(review.key) != review.against
  }

  /// Compares an undecided render again if its baseline has changed since.
  private func refresh(_ row: RenderRow) async throws {
    guard let known = try await store.reviews.review(row.id), try await isOutdated(known) else { return }
    var review = known
    let sight = try await BaselineSight.of(row, data, approver)
    (review.comparison, review.against, review.facts) = (sight.comparison, sight.against, sight.facts)
    if review.state != .superseded {
      review.state = Review.state(of: sight.comparison, isLabelled: Self.isLabelled(row))
    }
    _ = try await store.reviews.update(review, from: known.revision)
  }

  /// Compares open renders of a baseline again after it has changed.
  private func refreshOthers(of key: BaselineKey) async throws {
    for row in try await store.reviews.open(of: key, most: Self.mostAtOnce) {
      try await refresh(try await data.atHome(row))
    }
  }

  private func check(_ review: Review, _ ruling: Ruling) async throws {
    if let seen = ruling.revision, seen != review.revision {
      let decision = try await store.reviews.decision(on: review.render)
      let who = decision.map { "\($0.who) decided meanwhile (\($0.action.rawValue))" }
      throw Problem(
        409, "review-outdated", "\(who ?? "the baseline has changed"): reload, then decide")
    }
    guard review.state != .approved, ruling.action != .reject || review.state != .rejected else {
      throw Problem(
        409, "review-decided", "render '\(review.render)' is \(review.state.rawValue) already: undo that decision first"
      )
    }
  }

  private func accept(
    _ row: RenderRow, _ review: Review?, _ ruling: Ruling, as key: BaselineKey, by who: String
  ) async throws {
    let change: Approver.Change
    do throws(Fault) {
      change = try await approver.approve(
        row, as: key, parts: ruling.parts.map(Set.init), asVariants: ruling.action == .variant)
    } catch {
      let conflicts = ["baseline-outdated", "baseline-without-variants", "baseline-variants-too-many"]
      if error.has(.partUnknown) { throw Problem(422, error) }
      throw conflicts.contains(error.code) ? Problem(409, error) : Problem(error)
    }
    var decision = Decision(ruling.action, of: key, render: row.id, by: who, at: Instant.now)
    (decision.comment, decision.parts) = (ruling.comment, ruling.parts)
    (decision.before, decision.after) = (change.before, change.after)
    guard var next = review else {
      try await store.reviews.keep(decision)
      return try await refreshOthers(of: key)
    }
    let sight = try await BaselineSight.of(row, data, approver)
    if sight.comparison == .unchanged {
      // What was decided about stays to be seen.
      next.state = .approved
    } else {
      (next.comparison, next.facts, next.state) = (sight.comparison, sight.facts, .open)
    }
    next.against = sight.against
    try await update(next, from: next.revision, decision, row)
    try await refreshOthers(of: key)
  }

  private func reject(_ row: RenderRow, _ review: Review, _ ruling: Ruling, by who: String) async throws {
    var decision = Decision(.reject, of: review.key, render: row.id, by: who, at: Instant.now)
    decision.comment = ruling.comment
    var next = review
    next.state = .rejected
    try await update(next, from: review.revision, decision, row)
  }

  private func undo(on row: RenderRow, _ review: Review, _ ruling: Ruling, by who: String) async throws {
    if let seen = ruling.revision, seen != review.revision { return try await check(review, ruling) }
    guard let decision = try await store.reviews.decision(on: row.id) else {
      throw Problem(409, "review-undecided", "render '\(row.id)' has no decision")
    }
    guard decision.action == .reject else { return try await takeBack(decision, by: who) }
    var taken = Decision(.undo, of: review.key, render: row.id, by: who, at: Instant.now)
    taken.undoes = decision.number
    try await update(try await compared(row, review), from: review.revision, taken, row)
  }

  /// Restores the baseline from before a decision, unless it was changed after that decision.
  private func takeBack(_ decision: Decision, by who: String) async throws {
    let now = try await approver.current(decision.key)
    guard now == decision.after || now == decision.before else {
      throw Problem(
        409, "baseline-outdated", "the baseline \(decision.key.text) has changed since: undo later decisions first"
      )
    }
    let change = try await approver.restore(decision.key, to: decision.before)
    var taken = Decision(.undo, of: decision.key, render: decision.render, by: who, at: Instant.now)
    (taken.before, taken.after, taken.undoes) = (change.before, change.after, decision.number)
    let row = try await render(decision.render)
    if let row, let review = try await store.reviews.review(row.id), review.key == decision.key {
      try await update(try await compared(row, review), from: review.revision, taken, row)
    } else {
      try await store.reviews.keep(taken)
    }
    try await refreshOthers(of: decision.key)
  }

  private func render(_ id: String?) async throws(Fault) -> RenderRow? {
    guard let id, let row = try await store.render(id) else { return nil }
    return try await data.atHome(row)
  }

  /// The review of a new comparison, without a decision.
  private func compared(_ row: RenderRow, _ review: Review) async throws(Fault) -> Review {
    var next = review
    let sight = try await BaselineSight.of(row, data, approver)
    (next.comparison, next.against, next.facts) = (sight.comparison, sight.against, sight.facts)
    next.state = Review.state(of: sight.comparison, isLabelled: Self.isLabelled(row))
    return next
  }

  /// Stores a review with its decision, and queues a webhook to the render's address.
  private func update(_ review: Review, from revision: Int, _ decision: Decision, _ row: RenderRow) async throws {
    let callback = RenderRequest.read(row.request)?.callback
    let hook = callback.map { WebhookBody(row, decision: decision, review: review, base: base).message(to: $0) }
    guard try await store.reviews.update(review, from: revision, decision: decision, hook: hook) else {
      throw Problem(409, "review-outdated", "the review was decided meanwhile: reload")
    }
  }
}
