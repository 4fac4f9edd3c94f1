package import Core

/// Client of a worker, which asks servers for jobs and reports their outcomes.
package struct WorkerClient: Sendable {
  private static let leasePatience = Duration.seconds(6)
  private let client: QueueClient

  package init(_ client: QueueClient) { self.client = client }

  /// Asks for a job that the capabilities cover; nil if there is none within the time.
  package func lease(_ capabilities: Capabilities, within time: Duration) async throws(Fault) -> LeaseGrant? {
    if let grant = try await leaseNow(capabilities) { return grant }
    let end = ContinuousClock.now + time
    // What comes after this is heard of; what came before is found by the next look.
    let bell = try await client.waitForWork()
    while true {
      if let grant = try await leaseNow(capabilities) { return grant }
      let left = ContinuousClock.now.duration(to: end)
      if left <= .zero || Task.isCancelled { return nil }
      // Nobody rings for what a worker that died has left.
      _ = try await bell.next(within: min(left, .seconds(1)))
    }
  }

  private func leaseNow(_ capabilities: Capabilities) async throws(Fault) -> LeaseGrant? {
    let request = QueueRequest.lease(capabilities: capabilities.words.sorted(), schemas: capabilities.schemas.sorted())
    // Asked twice, it may be given two. Servers give a lease back that took them almost as long.
    let answer = try await client.askOnce(try QueueMessage.bytes(request), within: Self.leasePatience)
    guard case .lease(let grant) = answer.reply else { throw QueueClient.unexpected }
    return grant
  }

  /// Extends a lease; throws `lease-lost` if another worker has the job by now.
  package func heartbeat(_ grant: LeaseGrant) async throws(Fault) { try await client.order(.heartbeat(grant.ticket)) }

  /// Reports that rendering has begun.
  package func start(_ grant: LeaseGrant) async throws(Fault) { try await client.order(.started(grant.ticket)) }

  /// Reports the phase of a render to its listeners.
  package func progress(_ grant: LeaseGrant, _ phase: String) async {
    await client.tell(.progress(grant.ticket, phase: phase.printable(limit: 100)))
  }

  /// Reports that a process died under a render that is tried again.
  package func retrying(_ grant: LeaseGrant, _ reason: String) async {
    await client.tell(.retrying(grant.ticket, reason: reason.printable(limit: 1000)))
  }

  /// Counts a death against the creative; returns the number of deaths that count.
  package func died(_ grant: LeaseGrant, _ reason: String) async throws(Fault) -> Int {
    guard
      case .deaths(let count) = try await client.ask(.died(grant.ticket, reason: reason.printable(limit: 1000))).reply
    else { throw QueueClient.unexpected }
    return count
  }

  /// Returns a job to the queue at once; `counts` indicates if the attempt counts.
  package func release(_ grant: LeaseGrant, counts: Bool = false) async throws(Fault) {
    try await client.order(.release(grant.ticket, counts: counts))
  }

  /// Ends a job for good; throws `lease-lost` if another worker was given it since, or it was cancelled.
  package func end(
    _ grant: LeaseGrant, _ fault: Fault?, result: String, files: FileReceipt?
  ) async throws(Fault) {
    try await client.order(.end(grant.ticket, fault: fault, result: result, files: files))
  }

  package func show(_ card: WorkerHeartbeat) async throws(Fault) { try await client.order(.show(card)) }

  /// Removes the worker's card, as the worker stops.
  package func leave() async { try? await client.order(.leave) }

  /// Fetches a file that a job needs.
  package func fetch(_ input: JobInput, of grant: LeaseGrant, to file: String) async throws(Fault) {
    try await client.fetch(.input(grant.ticket, input), to: file)
  }

  /// Sends the files of a job's result.
  package func keep(file: String, of grant: LeaseGrant) async throws(Fault) -> FileReceipt {
    try await client.keep(file: file, of: grant.ticket)
  }

  /// Opens the notices of cancelled jobs.
  package func cancellations() async throws(Fault) -> NoticeReader { try await client.notices() }

  package func close() async { await client.close() }
}

/// Client of a sender, which sends jobs and sees its own.
package struct SenderClient: Sendable {
  private let client: QueueClient

  package init(_ client: QueueClient) { self.client = client }

  /// Sends a creative's file; returns the servers' receipt.
  package func keep(file: String) async throws(Fault) -> FileReceipt { try await client.keep(file: file) }

  /// Sends a job; a repeated id refers to the same job.
  package func enqueue(id: String, payload: String, creative: FileReceipt?) async throws(Fault) {
    try await client.order(.enqueue(id: id, payload: payload, creative: creative))
  }

  /// Returns the state of a job; nil for one that isn't known.
  package func look(_ id: String) async throws(Fault) -> SentJob? {
    guard case .job(let job) = try await client.ask(.look(id: id)).reply else { throw QueueClient.unexpected }
    return job
  }

  package func cancel(_ id: String) async throws(Fault) { try await client.order(.cancel(id: id)) }

  /// Fetches the files of a job's result.
  package func fetchResult(of id: String, to file: String) async throws(Fault) {
    try await client.fetch(.result(id: id), to: file)
  }

  /// Reports that a result was fetched.
  package func noteFetched(_ id: String) async { try? await client.order(.fetched(id: id)) }

  /// Opens the notices of this sender's jobs.
  package func notices() async throws(Fault) -> NoticeReader { try await client.notices() }

  package func close() async { await client.close() }
}
