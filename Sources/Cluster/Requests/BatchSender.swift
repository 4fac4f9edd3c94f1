package import Core
internal import Foundation
package import RenderModel
internal import Scheduling
internal import Workers

/// Sends jobs of a batch to a queue's workers and fetches the results into the folders that the jobs name.
package actor BatchSender {
  private let client: SenderClient
  private let scratch: String
  private let say: @Sendable (WorkerMessage) -> Void
  /// Jobs that were sent and whose results aren't fetched yet, by their ids in the queue.
  private var sent: [String: RenderJob] = [:]
  /// Number of jobs that are being sent or fetched.
  private var moving = 0
  private var isClosed = false
  private var begun: Set<String> = []
  /// Time of the last answer from NATS about a job.
  private var answered = ContinuousClock.now
  private let patience: Duration
  /// Maximum number of jobs not known to have begun that are looked up in one round.
  private static let looks = 200
  private let (turns, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Creates the folder `scratch` for files in transfer; `run` removes it.
  ///
  /// If the queue doesn't answer for `patience`, all unfetched jobs end with `nats-unreachable`, so that the waiting
  /// command always ends.
  package init(
    _ client: SenderClient, scratch: String, patience: Duration = .seconds(300),
    say: @escaping @Sendable (WorkerMessage) -> Void
  ) throws(Fault) {
    (self.client, self.scratch, self.say) = (client, scratch, say)
    self.patience = patience
    do {
      try PrivateFolder.make(scratch)
    } catch {
      throw Fault.writing(scratch, error)
    }
  }

  /// Sends one job; one that can't be sent ends at once with its fault.
  package func send(_ job: RenderJob) async {
    moving += 1
    // While nothing is on its way nobody is asked.
    if sent.isEmpty { answered = .now }
    do throws(Fault) {
      let (batched, creative) = try await pack(job)
      guard let payload = JobPayload(batched: batched).text else {
        throw .engine("job-unsendable", "the job can't be encoded as JSON")
      }
      let id = RenderID.make(at: Instant.now)
      // It may be done before the call returns.
      sent[id] = job
      do throws(Fault) {
        try await client.enqueue(id: id, payload: payload, creative: creative)
      } catch {
        sent[id] = nil
        throw error
      }
    } catch {
      end(job, error, attempts: 1)
    }
    moving -= 1
    turn.yield()
  }

  private func pack(_ job: RenderJob) async throws(Fault) -> (JobPayload.Batched, FileReceipt?) {
    guard job.feed == nil, job.options.bridge == nil else {
      throw .request("job-not-on-queue", "workers of a queue don't render feeds or custom bridges")
    }
    var bare = job
    bare.output = ""
    bare.creative.path = nil
    guard let path = job.creative.path else {
      return (JobPayload.Batched(job: bare, creative: nil, file: nil), nil)
    }
    let place = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let name = String(place.split(separator: "/").last ?? "creative")
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else {
      throw .request("creative-missing", "\(place) no longer exists")
    }
    // A file of a folder may name others beside it.
    let isAlone = job.creative.argument == "-" || [".zip", ".js"].contains { place.lowercased().hasSuffix($0) }
    if !isFolder.boolValue, isAlone {
      let kept = try await client.keep(file: place)
      return (JobPayload.Batched(job: bare, creative: kept.sha256, file: name), kept)
    }
    let folder = isFolder.boolValue ? place : String(place.dropLast(name.count + 1))
    guard ResultArchive.fits(folder) else {
      throw .request(
        "creative-too-large", "\(folder) has more files than a creative: move \(name) to its own folder")
    }
    let parcel = "\(scratch)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: parcel) }
    try ResultArchive.pack(folder, to: parcel)
    let kept = try await client.keep(file: parcel)
    let form: JobPayload.Batched.Form = isFolder.boolValue ? .folder : .fileInFolder
    return (JobPayload.Batched(job: bare, creative: kept.sha256, file: name, form: form), kept)
  }

  /// Notes that no more jobs will be sent.
  package func close() {
    isClosed = true
    turn.yield()
  }

  /// Cancels all jobs that haven't ended.
  package func cancel() async {
    let ids = Array(sent.keys)
    sent = [:]
    isClosed = true
    for id in ids {
      try? await client.cancel(id)
    }
    turn.yield()
  }

  /// Fetches results until every sent job has ended and `close` was called.
  package func run() async {
    let listening = Task {
      while !Task.isCancelled {
        await self.listen()
        // Whoever isn't heard is looked for in any case.
        try? await Task.sleep(for: .seconds(1))
      }
    }
    let looking = Task {
      // Whoever told of an end may not have been heard.
      while (try? await Task.sleep(for: .seconds(3))) != nil { await self.look() }
    }
    for await _ in turns where isClosed && sent.isEmpty && moving == 0 { break }
    listening.cancel()
    looking.cancel()
    await client.close()
    try? FileManager.default.removeItem(atPath: scratch)
  }

  /// Handles notices of workers until the subscription is lost.
  private func listen() async {
    guard let reader = try? await client.notices() else { return }
    while !Task.isCancelled {
      do throws(Fault) {
        for (id, notice) in try await reader.next() { await hear(id, notice) }
      } catch {
        return
      }
    }
  }

  private func hear(_ id: String, _ notice: JobEvent) async {
    guard let job = sent[id] else { return }
    switch notice {
    case .started:
      if begun.insert(id).inserted { say(.progress(job: job.id, phase: "rendering")) }
    case .phase(let phase): say(.progress(job: job.id, phase: phase.printable(limit: 100)))
    case .retrying: say(.progress(job: job.id, phase: "retrying"))
    case .ended, .cancelled: await bringHome(id)
    }
  }

  /// Fetches results of ended jobs: checks all that are known to have begun, and of the others those sent first.
  private func look() async {
    // Ids are in the order of sending, which is about that of rendering.
    let waiting = sent.keys.filter { !begun.contains($0) }.sorted().prefix(Self.looks)
    for id in sent.keys.filter(begun.contains) + waiting {
      // Where one isn't answered for, the others would each wait as long.
      guard await bringHome(id) else { return giveUpIfUnanswered() }
    }
  }

  /// Ends all unfetched jobs if the queue hasn't answered for `patience`.
  private func giveUpIfUnanswered() {
    guard answered.duration(to: .now) >= patience else { return }
    let fault = Fault.engine(
      "nats-unreachable",
      "the queue hasn't responded for \(patience.components.seconds) s; sent jobs may still be rendered")
    for job in sent.values { end(job, fault, attempts: 1) }
    sent = [:]
    turn.yield()
  }

  /// Fetches the result of a job if it has ended; false if the queue doesn't answer for it.
  @discardableResult private func bringHome(_ id: String) async -> Bool {
    let known: SentJob?
    do throws(Fault) {
      known = try await client.look(id)
      answered = .now
    } catch {
      // What can't be read has been answered for.
      return error.has(.dataLost)
    }
    guard let record = known, record.status.isFinal, let job = sent.removeValue(forKey: id) else { return true }
    moving += 1
    do throws(Fault) {
      guard record.hasFiles else { throw record.fault ?? .engine(.resultMissing, "the worker returned no result") }
      try await unpack(id, into: job)
      guard let result = try? ResultFolder(job.output).record() else {
        throw record.fault ?? .engine(.resultMissing, "the worker returned no result")
      }
      say(.finished(job: job.id, record: result))
      await client.noteFetched(id)
    } catch {
      if error.isPassingNatsFault {
        // It is still there for the next look.
        begun.insert(id)
        sent[id] = job
      } else {
        end(job, error, attempts: record.attempt)
      }
    }
    moving -= 1
    turn.yield()
    return true
  }

  /// Moves a result's files into a job's folder, which may exist already.
  private func unpack(_ id: String, into job: RenderJob) async throws(Fault) {
    let (fetched, unpacked) = ("\(scratch)/\(UUID().uuidString)", "\(scratch)/\(UUID().uuidString)")
    defer { for path in [fetched, unpacked] { try? FileManager.default.removeItem(atPath: path) } }
    try await client.fetchResult(of: id, to: fetched)
    try ResultArchive.unpack(fetched, to: unpacked)
    let folder = ResultFolder(job.output)
    try folder.clear()
    let files = FileManager.default
    do {
      let from = "\(unpacked)/result"
      for name in try files.contentsOfDirectory(atPath: from) {
        let target = "\(folder.path)/\(name)"
        if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
        try files.moveItem(atPath: "\(from)/\(name)", toPath: target)
      }
    } catch {
      throw Fault.writing(folder.path, error)
    }
  }

  private func end(_ job: RenderJob, _ fault: Fault, attempts: Int) { Self.end(job, fault, attempts: attempts, say) }

  /// Stores and reports a record of a job that wasn't rendered, with the reason.
  package static func end(
    _ job: RenderJob, _ fault: Fault, attempts: Int = 1, _ say: (WorkerMessage) -> Void
  ) {
    let record = UnrenderedRecord.make(job, fault, attempts: attempts)
    let folder = ResultFolder(job.output)
    try? folder.create()
    try? folder.write(record)
    say(.finished(job: job.id, record: record))
  }
}
