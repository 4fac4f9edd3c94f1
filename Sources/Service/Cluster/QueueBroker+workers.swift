internal import Cluster
internal import Core
internal import Foundation
internal import Logging
internal import RenderModel
internal import Scheduling

extension QueueBroker {
  func replyToWorker(
    _ request: QueueRequest, _ caller: QueueCaller
  ) async throws(Fault) -> (QueueReply, [UInt8]) {
    switch request {
    case .lease(let words, let schemas): return (.lease(try await lease(words, schemas, caller)), [])
    case .heartbeat(let ticket): try await cluster.queue.keepAway(try await held(ticket, caller))
    case .started(let ticket): try await start(ticket, caller)
    case .progress(let ticket, let phase):
      try await tell(.phase(phase.printable(limit: 100)), ticket, caller)
    case .retrying(let ticket, let reason):
      try await tell(.retrying(reason: reason.printable(limit: 1000)), ticket, caller)
    case .died(let ticket, let reason): return (.deaths(try await countDeath(ticket, reason, caller)), [])
    case .release(let ticket, let counts):
      try await cluster.queue.release(try await held(ticket, caller), counts: counts)
    case .end(let ticket, let fault, let result, let files):
      try await end(ticket, fault, result, files, caller)
    case .show(let card): try await cluster.workers.show(card.bounded(as: caller))
    case .leave: await cluster.workers.remove(WorkerHeartbeat.name(of: caller))
    case .input(let ticket, let input): return try await give(input, ticket, caller)
    default: throw Self.forbidden(caller)
    }
    return (.done, [])
  }

  /// Indicates if this server's queue granted the lease to the caller, even if it is no longer held.
  func isProven(_ ticket: LeaseTicket, _ caller: QueueCaller) -> Bool {
    key.holds(ticket.proof, "lease", ticket.text(for: caller.text))
  }

  private func held(_ ticket: LeaseTicket, _ caller: QueueCaller) async throws(Fault) -> Lease {
    try await cluster.queue.held(ticket.id, ticket: ticket.ticket, by: caller.text)
  }

  private func lease(
    _ words: [String], _ schemas: [Int], _ caller: QueueCaller
  ) async throws(Fault) -> LeaseGrant? {
    guard words.count <= 32, schemas.count <= 32, words.allSatisfy({ $0.utf8.count <= 40 }) else {
      throw .request("queue-request-invalid", "a worker may have at most 32 capabilities of 40 characters")
    }
    let began = ContinuousClock.now
    let capabilities = Capabilities(Set(words), schemas: Set(schemas))
    guard let lease = try await cluster.queue.lease(capabilities, as: caller.text, within: .zero) else { return nil }
    guard began.duration(to: .now) < Self.longestLease else {
      try await cluster.queue.release(lease)
      return nil
    }
    await countSilence(before: lease)
    var ticket = LeaseTicket(lease.record)
    ticket.proof = key.signature("lease", ticket.text(for: caller.text))
    return LeaseGrant(job: lease.job, ticket: ticket)
  }

  /// Records that the previous worker of the job stopped responding, for display; the queue has counted it already.
  private func countSilence(before lease: Lease) async {
    guard lease.attempt > 1 else { return }
    let cause = "\(lease.job.id)-\(lease.attempt - 1)"
    do throws(Fault) {
      try await note("a worker's machine stopped responding", cause, of: lease)
    } catch {
      log.warning("a lost lease can't be recorded", metadata: ["render": "\(lease.job.id)", "error": "\(error)"])
    }
  }

  /// Stores a crash in the servers' shared state, for a render that they accepted.
  private func note(_ reason: String, _ cause: String, of lease: Lease) async throws(Fault) {
    guard lease.job.completion == .byServer, let row = try await store.render(lease.job.id) else { return }
    _ = try await store.losses.count(
      CrashRecord(
        content: row.content, recipe: RenderRequest.read(row.request)?.recipe ?? "", render: row.id, cause: cause,
        reason: reason, timestamp: Instant.now))
  }

  private func start(_ ticket: LeaseTicket, _ caller: QueueCaller) async throws(Fault) {
    let lease = try await held(ticket, caller)
    if lease.job.completion == .byServer {
      try await store.commit(StartRender(id: lease.job.id, timestamp: Instant.now))
    }
    await tell(.started(attempt: lease.attempt), lease.job)
  }

  /// Forwards a notice. The lease's proof suffices for it, even after the lease has ended, since nothing depends on
  /// notices.
  private func tell(_ notice: JobEvent, _ ticket: LeaseTicket, _ caller: QueueCaller) async throws(Fault) {
    guard isProven(ticket, caller) else { throw Self.forbidden(caller) }
    if ticket.isServed {
      await cluster.notices.post(notice, of: ticket.id)
    } else {
      await cluster.notices.tell(notice, of: ticket.id, to: ticket.owner)
    }
  }

  private func tell(_ notice: JobEvent, _ job: QueuedJob) async {
    if job.completion == .byServer {
      await cluster.notices.post(notice, of: job.id)
    } else {
      await cluster.notices.tell(notice, of: job.id, to: job.owner)
    }
  }

  /// Counts a crash during a job. The server chooses the cause's name, so that a worker can't count for another's job.
  private func countDeath(_ ticket: LeaseTicket, _ reason: String, _ caller: QueueCaller) async throws(Fault) -> Int {
    let lease = try await held(ticket, caller)
    let cause = "\(lease.job.id)-\(lease.attempt)-\(UInt32.random(in: 0...UInt32.max))"
    let reason = reason.printable(limit: 1000)
    try await note(reason, cause, of: lease)
    return try await cluster.queue.losses.count(cause, reason: reason, of: lease.job.content).causes.count
  }

  /// Ends a job with the outcome that its worker sent, within the worker's permissions.
  private func end(
    _ ticket: LeaseTicket, _ fault: Fault?, _ result: String, _ files: FileReceipt?, _ caller: QueueCaller
  ) async throws(Fault) {
    if let known = try await cluster.queue.record(ticket.id), known.status.isFinal, known.worker == caller.text,
      known.ticket == ticket.ticket
    {
      // The answer to the first time was lost.
      return
    }
    let lease = try await held(ticket, caller)
    if let files, !key.holds(files.proof, "file", files.text(for: caller)) { throw Self.forbidden(caller) }
    var outcome = JobResult.read(result)?.bounded ?? JobResult()
    outcome.parcel = files?.sha256
    let fault = fault.map { Fault($0.origin, QueueBroker.code($0.code), $0.message.printable(limit: 2000)) }
    if lease.job.completion == .byServer {
      try await cluster.queue.end(lease, fault, result: outcome.text) { [endings, log] record in
        do throws(Fault) {
          try await endings.take(record)
          return ()
        } catch {
          // Whoever gets the message again hands the job to another server.
          log.warning("the end of a render is delayed", metadata: ["render": "\(record.job.id)", "error": "\(error)"])
          return nil
        }
      }
    } else {
      try await cluster.queue.end(lease, fault, result: outcome.text)
      await cluster.notices.tell(.ended, of: lease.job.id, to: lease.job.owner)
    }
  }

  /// The text if it is a valid code, else `worker-failed`.
  private static func code(_ text: String) -> String {
    let isCode =
      (1...60).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 == 45 || (97...122).contains($0) || (48...57).contains($0) }
    return isCode ? text : "worker-failed"
  }

  private func give(
    _ input: JobInput, _ ticket: LeaseTicket, _ caller: QueueCaller
  ) async throws(Fault) -> (QueueReply, [UInt8]) {
    let lease = try await held(ticket, caller)
    let order = try JobPayload.read(lease.job)
    let hash: String?
    switch input {
    case .creative: hash = order.served.map { $0.file == nil ? nil : $0.content } ?? order.batched?.creative
    case .recording: hash = order.served?.recording
    }
    guard let hash else { throw .request(.contentMissing, "the job \(lease.job.id) has no \(input.rawValue)") }
    let contents = lease.job.completion == .byServer ? cluster.contents : cluster.batchContents
    return try await give(hash, contents, caller)
  }
}
