internal import Cluster
internal import Core
internal import Logging
internal import RenderModel
internal import Scheduling
internal import Telemetry

/// Completes renders that workers have done, each on one server only.
struct CompletionProcessor: Sendable {
  /// Number of renders that are completed concurrently.
  private static let width = 4

  let cluster: ClusterConnection
  let store: Store
  let replica: Replica
  let shelf: SharedFileStore
  let reviews: ReviewDesk
  let outcomes: OutcomeWriter
  let gauges: ServiceGauges
  let log: Logger

  /// Completes renders as workers report them as done, some at a time.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      var busy = 0
      while !Task.isCancelled {
        if busy == Self.width {
          await group.next()
          busy -= 1
        }
        do throws(Fault) {
          guard let ending = try await cluster.queue.endings.next(within: .seconds(5)) else { continue }
          group.addTask { await bring(ending) }
          busy += 1
        } catch {
          try? await Task.sleep(for: .seconds(1))
        }
      }
    }
  }

  /// Completes one render, or leaves it to another server if that fails.
  private func bring(_ ending: CompletionDelivery) async {
    do throws(Fault) {
      try await finish(ending.id)
      try await ending.settle()
    } catch {
      if !Task.isCancelled {
        log.error("a render can't be ended yet", metadata: ["render": "\(ending.id)", "error": "\(error)"])
      }
      await ending.giveBack()
    }
  }

  /// Stores the outcome of a job; does nothing if it is stored already.
  private func finish(_ id: String) async throws(Fault) {
    guard RenderID.isOne(id), let record = try await cluster.queue.record(id) else { return }
    try await finish(record)
  }

  /// Completes a render that its worker reported: at once, or later on any server if it must be compared.
  func take(_ record: JobRecord) async throws(Fault) {
    if record.status == .completed, let row = try await store.render(record.job.id),
      let request = RenderRequest.read(row.request), try await areNeeded(by: row, request)
    {
      return try await cluster.queue.endings.add(record)
    }
    try await finish(record)
  }

  private func finish(_ record: JobRecord) async throws(Fault) {
    let id = record.job.id
    guard RenderID.isOne(id), record.status.isFinal else { return }
    var known = try await store.render(id)
    if known == nil {
      try await replica.catchUp()
      known = try await store.render(id)
    }
    guard var row = known, !row.status.isFinal else { return }
    let outcome = JobResult.read(record.result)
    if let outcome {
      gauges.rendered(seconds: outcome.seconds)
      row.parcel = outcome.parcel
    }
    switch record.status {
    case .completed:
      let review: Review?
      do throws(Fault) {
        review = try await reviewed(row, outcome?.parts)
      } catch let error where error.code.hasPrefix("content-") {
        return try await end(row, .failed, .engine("result-lost", "its files couldn't be stored: \(error.message)"))
      }
      try await end(row, .completed, nil, outcome, review: review)
      try await forgive(row)
    case .quarantined: try await end(row, .quarantined, record.fault, outcome)
    case .cancelled: try await end(row, .cancelled, record.fault)
    case .failed, .queued, .running: try await end(row, .failed, record.fault, outcome)
    }
  }

  /// Indicates if completing a render needs more than storing its outcome: a comparison with a baseline, or a webhook.
  private func areNeeded(by row: RenderRow, _ request: RenderRequest) async throws(Fault) -> Bool {
    guard request.callback == nil else { return true }
    return try await store.sharedFiles.hasBaseline(BaselineVariant.key(row))
  }

  /// Compares a render with its baseline. If there is none, its files stay in the shared store until they are
  /// requested.
  private func reviewed(_ row: RenderRow, _ parts: [String]?) async throws(Fault) -> Review? {
    if try await store.sharedFiles.hasBaseline(BaselineVariant.key(row)) {
      try await shelf.bringBaselines()
    } else if let parts, let parcel = row.parcel, try await cluster.contents.has(parcel) {
      return Review(of: row.id, name: row.name, RenderRequest.read(row.request), showing: parts)
    }
    try await shelf.fetch(row, patience: .seconds(10))
    return try await reviews.begin(row.id)
  }

  /// Clears the recorded losses of a creative that was rendered completely after all.
  private func forgive(_ row: RenderRow) async throws(Fault) {
    guard try await store.losses.known(of: row.content) != nil else { return }
    try await store.losses.clear(row.id, content: row.content, recipe: RenderRequest.read(row.request)?.recipe ?? "")
    guard try await store.losses.known(of: row.content) == nil else { return }
    try? await cluster.queue.losses.forget(row.content)
  }

  /// Stores the outcome of a render.
  func end(
    _ row: RenderRow, _ status: RenderStatus, _ fault: Fault?, _ outcome: JobResult? = nil, review: Review? = nil
  ) async throws(Fault) {
    var ending = RenderCompletion(
      status: status, fault: fault, summary: outcome?.summary, finished: Instant.now, review: review)
    ending.parcel = outcome?.parcel
    try await outcomes.write(EndRender(id: row.id, ending: ending))
  }
}
