internal import Cluster
internal import Core
internal import RenderModel
internal import Scheduling

extension QueueBroker {
  func replyToSender(
    _ request: QueueRequest, _ caller: QueueCaller
  ) async throws(Fault) -> (QueueReply, [UInt8]) {
    switch request {
    case .enqueue(let id, let payload, let creative): try await enqueue(id, payload, creative, caller)
    case .look(let id): return (.job(try await own(id, caller).map(Self.sent)), [])
    case .cancel(let id):
      guard try await own(id, caller) != nil else { break }
      if try await cluster.queue.cancel(id) { await cluster.notices.post(.cancelled, of: id) }
    case .result(let id):
      guard let record = try await own(id, caller), let parcel = JobResult.read(record.result)?.parcel else {
        throw .engine(.contentMissing, "the job \(id) has no files")
      }
      return try await give(parcel, cluster.batchContents, caller)
    case .fetched(let id):
      guard let parcel = try await own(id, caller).flatMap({ JobResult.read($0.result)?.parcel }) else { break }
      try await cluster.batchContents.remove(parcel)
    default: throw Self.forbidden(caller)
    }
    return (.done, [])
  }

  private static func sent(_ record: JobRecord) -> SentJob {
    SentJob(
      status: record.status, attempt: record.attempt, fault: record.fault,
      hasFiles: JobResult.read(record.result)?.parcel != nil)
  }

  /// A job that this user sent; nil for jobs of others, just as for unknown ones.
  private func own(_ id: String, _ caller: QueueCaller) async throws(Fault) -> JobRecord? {
    guard RenderID.isOne(id), let record = try await cluster.queue.record(id), record.job.completion == .bySender,
      let owner = QueueCaller(text: record.job.owner), owner.role == .sender, owner.user == caller.user
    else { return nil }
    return record
  }

  private func enqueue(
    _ id: String, _ payload: String, _ creative: FileReceipt?, _ caller: QueueCaller
  ) async throws(Fault) {
    guard RenderID.isOne(id) else { throw .request("job-invalid", "\(id.printable(limit: 64)) isn't a job id") }
    if let creative, !key.holds(creative.proof, "file", creative.text(for: caller)) { throw Self.forbidden(caller) }
    var queued = QueuedJob(
      id: id, owner: caller.text, priority: .low, content: "", payload: payload, created: Instant.now)
    queued.completion = .bySender
    guard let batched = try JobPayload.read(queued).batched, batched.creative == creative?.sha256 else {
      throw .request("job-unreadable", "the job \(id) isn't a job of a batch, or belongs to another file")
    }
    var job = batched.job
    // Whoever renders it says where results go.
    job.output = "/"
    try job.validate()
    queued.needs = job.needs
    // What kills workers is counted for each user: one can't have another's creatives set aside.
    queued.content = "\(caller.user) \(batched.creative ?? batched.job.creative.argument)"
    if case .known = try await cluster.queue.enqueue(queued, key: nil), try await own(id, caller) == nil {
      throw .request("job-exists", "the id \(id) is taken")
    }
  }
}
