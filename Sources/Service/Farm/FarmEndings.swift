internal import Core
internal import Logging
internal import Queue
internal import RenderModel

/// Where renders are brought to an end that workers elsewhere are done with, each by one server.
struct FarmEndings: Sendable {
  /// Those that are worked at together.
  private static let width = 4

  let farm: Farm
  let store: Store
  let replica: Replica
  let shelf: FarmShelf
  let reviews: ReviewDesk
  let outcomes: OutcomeWriter
  let gauges: ServiceGauges
  let log: Logger

  /// Brings renders to their end, of all that workers are done with, some at a time.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      var busy = 0
      while !Task.isCancelled {
        if busy == Self.width {
          await group.next()
          busy -= 1
        }
        do throws(Fault) {
          guard let ending = try await farm.queue.endings.next(within: .seconds(5)) else { continue }
          group.addTask { await bring(ending) }
          busy += 1
        } catch {
          try? await Task.sleep(for: .seconds(1))
        }
      }
    }
  }

  /// Brings one render to its end, or gives it to another server.
  private func bring(_ ending: Ending) async {
    do throws(Fault) {
      try await finish(ending.id)
      try await ending.settle()
    } catch {
      if !Task.isCancelled {
        log.error("a render couldn't be ended yet", metadata: ["render": "\(ending.id)", "error": "\(error)"])
      }
      await ending.giveBack()
    }
  }

  /// Writes down what came of a job; nothing happens where that is written down already.
  private func finish(_ id: String) async throws(Fault) {
    // Nobody but a queue's workers writes there; what is no id is nobody's.
    guard RenderID.isOne(id), let record = try await farm.queue.record(id), record.status.isFinal else { return }
    var known = try await store.render(id)
    if known == nil {
      try await replica.catchUp()
      known = try await store.render(id)
    }
    guard var row = known, !row.status.isFinal else { return }
    let outcome = FarmOutcome.read(record.result)
    if let outcome {
      gauges.rendered(seconds: outcome.seconds)
      row.parcel = outcome.parcel
    }
    switch record.status {
    case .completed:
      let review: Review?
      do throws(Fault) {
        review = try await reviewed(row, outcome?.parts)
      } catch where error.code.hasPrefix("content-") {
        return try await end(row, .failed, .engine("result-lost", "its files aren't kept: \(error.message)"))
      }
      try await end(row, .completed, nil, outcome, review: review)
      try await forgive(row)
    case .quarantined: try await end(row, .quarantined, record.fault, outcome)
    case .cancelled: try await end(row, .cancelled, record.fault)
    case .failed, .queued, .running: try await end(row, .failed, record.fault, outcome)
    }
  }

  /// Whether a server has something to add to how a render ends: to compare it with a baseline, or to tell somebody.
  func areNeeded(by row: RenderRow, _ request: RenderRequest) async throws(Fault) -> Bool {
    guard request.callback == nil else { return true }
    return try await store.hasSharedBaseline(BaselineVariant.key(row))
  }

  /// Does once what is left to do about a render whose worker has said how it ended.
  func note(_ end: EndRender) async {
    guard let seconds = end.ending.seconds else { return }
    gauges.rendered(seconds: seconds)
    gauges.ended(end.ending.status, code: end.ending.fault?.code)
    do throws(Fault) {
      if end.ending.status == .completed, let row = try await store.render(end.id) { try await forgive(row) }
    } catch {
      log.error("a creative's losses stay", metadata: ["render": "\(end.id)", "error": "\(error)"])
    }
  }

  /// Compares a render with its baseline. Where there is none its files stay where they are kept until somebody looks.
  private func reviewed(_ row: RenderRow, _ parts: [String]?) async throws(Fault) -> Review? {
    if try await store.hasSharedBaseline(BaselineVariant.key(row)) {
      try await shelf.bringBaselines()
    } else if let parts, let parcel = row.parcel, try await farm.contents.has(parcel) {
      return Review(of: row.id, name: row.name, RenderRequest.read(row.request), showing: parts)
    }
    try await shelf.fetch(row, patience: .seconds(10))
    return try await reviews.begin(row.id)
  }

  /// Takes back what a render that completed after all has lost.
  private func forgive(_ row: RenderRow) async throws(Fault) {
    guard try await store.losses(of: row.content) != nil else { return }
    try await store.clearCrashes(row.id, content: row.content, recipe: RenderRequest.read(row.request)?.recipe ?? "")
    guard try await store.losses(of: row.content) == nil else { return }
    try? await farm.queue.forgetLosses(of: row.content)
  }

  /// Writes down how a render ended.
  func end(
    _ row: RenderRow, _ status: RenderStatus, _ fault: Fault?, _ outcome: FarmOutcome? = nil, review: Review? = nil
  ) async throws(Fault) {
    var ending = RenderCompletion(
      status: status, fault: fault, summary: outcome?.summary, finished: Instant.now, review: review)
    ending.parcel = outcome?.parcel
    let callback = RenderRequest.read(row.request)?.callback
    try await outcomes.write(Outcome(id: row.id, ending: ending, callback: callback))
  }
}
