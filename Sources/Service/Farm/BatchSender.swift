package import Core
internal import Foundation
internal import JetStream
package import Queue
package import RenderModel
internal import Workers

/// Sends jobs of a batch to a queue's workers and brings home what came of them, into the folders that the jobs name.
package actor BatchSender {
  private let farm: Farm
  private let owner: String
  private let scratch: String
  private let say: @Sendable (WorkerMessage) -> Void
  /// What was sent and isn't home, by the queue's id.
  private var sent: [String: RenderJob] = [:]
  /// What is being sent or brought home.
  private var moving = 0
  private var isClosed = false
  private var begun: Set<String> = []
  /// When NATS last answered for a job.
  private var answered = ContinuousClock.now
  private let patience: Duration
  /// How much that isn't known to have begun is looked at in one go.
  private static let looks = 200
  private let (turns, turn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// `scratch` is a folder for files on their way, which is made and removed. Once nobody has answered for `patience`,
  /// what isn't home ends with `nats-unreachable`: the command that waits for it has an end, whatever becomes of the farm.
  package init(
    _ farm: Farm, owner: String, scratch: String, patience: Duration = .seconds(300),
    say: @escaping @Sendable (WorkerMessage) -> Void
  ) throws(Fault) {
    (self.farm, self.owner, self.scratch, self.say) = (farm, owner, scratch, say)
    self.patience = patience
    do {
      try FileManager.default.createDirectory(
        atPath: scratch, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Fault.writing(scratch, error)
    }
  }

  /// Sends one job; what can't be sent ends at once.
  package func send(_ job: RenderJob) async {
    moving += 1
    // While nothing is on its way nobody is asked.
    if sent.isEmpty { answered = .now }
    do throws(Fault) {
      let batched = try await pack(job)
      guard let payload = FarmOrder(batched: batched).text else {
        throw .engine("job-unsendable", "the job can't be sent: it has no form in JSON")
      }
      let id = RenderID.make(at: Instant.now)
      var queued = QueuedJob(
        id: id, owner: owner, needs: job.needs, content: batched.creative ?? job.creative.argument, payload: payload,
        created: Instant.now)
      queued.isServed = false
      // It may be done before the call returns.
      sent[id] = job
      do throws(Fault) {
        _ = try await farm.queue.enqueue(queued, key: nil)
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

  private func pack(_ job: RenderJob) async throws(Fault) -> FarmOrder.Batched {
    guard job.feed == nil, job.options.bridge == nil else {
      throw .request("job-not-on-queue", "feeds and bridges of one's own aren't rendered by a queue's workers")
    }
    var bare = job
    bare.output = ""
    bare.creative.path = nil
    guard let path = job.creative.path else {
      return FarmOrder.Batched(job: bare, creative: nil, file: nil)
    }
    let place = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let name = String(place.split(separator: "/").last ?? "creative")
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else {
      throw .request("creative-missing", "\(place) isn't there any more")
    }
    // A file of a folder may name others beside it.
    let isAlone = job.creative.argument == "-" || [".zip", ".js"].contains { place.lowercased().hasSuffix($0) }
    if !isFolder.boolValue, isAlone {
      let hash = try await farm.contents.put(file: place)
      return FarmOrder.Batched(job: bare, creative: hash, file: name)
    }
    let folder = isFolder.boolValue ? place : String(place.dropLast(name.count + 1))
    guard Parcel.fits(folder) else {
      throw .request(
        "creative-too-large", "\(folder) has more files than a creative: put \(name) into a folder of its own")
    }
    let parcel = "\(scratch)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: parcel) }
    try Parcel.pack(folder, to: parcel)
    let hash = try await farm.contents.put(file: parcel)
    return FarmOrder.Batched(
      job: bare, creative: hash, file: name, form: isFolder.boolValue ? .folder : .fileInFolder)
  }

  /// No more will be sent.
  package func close() {
    isClosed = true
    turn.yield()
  }

  /// Takes back whatever isn't done.
  package func cancel() async {
    let ids = Array(sent.keys)
    sent = [:]
    isClosed = true
    for id in ids {
      _ = try? await farm.queue.cancel(id)
      await farm.notices.post(.cancelled, of: id)
    }
    turn.yield()
  }

  /// Listens until everything that was sent is home and nothing more will be sent.
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
    await farm.close()
    try? FileManager.default.removeItem(atPath: scratch)
  }

  /// Until the subscription is lost.
  private func listen() async {
    guard let reader = try? await farm.notices.listen(to: nil) else { return }
    while !Task.isCancelled {
      do throws(Fault) {
        for (id, notice) in try await reader.next() { await hear(id, notice) }
      } catch {
        return
      }
    }
  }

  private func hear(_ id: String, _ notice: JobNotice) async {
    guard let job = sent[id] else { return }
    switch notice {
    case .started:
      if begun.insert(id).inserted { say(.progress(job: job.id, phase: "rendering")) }
    case .phase(let phase): say(.progress(job: job.id, phase: phase.printable(limit: 100)))
    case .retrying: say(.progress(job: job.id, phase: "retrying"))
    case .ended, .cancelled: await bringHome(id)
    }
  }

  /// Looks whether what was sent has ended: what is known to have begun, and of the rest what was sent first.
  private func look() async {
    // Ids are in the order of sending, which is about that of rendering.
    let waiting = sent.keys.filter { !begun.contains($0) }.sorted().prefix(Self.looks)
    for id in sent.keys.filter(begun.contains) + waiting {
      // Where one isn't answered for, the others would each wait as long.
      guard await bringHome(id) else { return giveUpIfUnanswered() }
    }
  }

  /// Ends what isn't home once nobody has answered for long.
  private func giveUpIfUnanswered() {
    guard answered.duration(to: .now) >= patience else { return }
    let fault = Fault.engine(
      "nats-unreachable",
      "the queue hasn't answered for \(patience.components.seconds) s: what was sent may still be rendered there")
    for job in sent.values { end(job, fault, attempts: 1) }
    sent = [:]
    turn.yield()
  }

  /// Brings home what came of a job, if it has ended; false when nobody answers for it.
  @discardableResult private func bringHome(_ id: String) async -> Bool {
    let known: JobRecord?
    do throws(Fault) {
      known = try await farm.queue.record(id)
      answered = .now
    } catch {
      // What can't be read has been answered for.
      return error.code == "data-lost"
    }
    guard let record = known, record.status.isFinal, let job = sent.removeValue(forKey: id) else { return true }
    moving += 1
    let outcome = FarmOutcome.read(record.result)
    do throws(Fault) {
      guard let parcel = outcome?.parcel else {
        throw record.fault ?? .engine("result-missing", "the worker left no result")
      }
      try await unpack(parcel, into: job)
      guard let result = try? ResultFolder(job.output).record() else {
        throw record.fault ?? .engine("result-missing", "the worker left no result")
      }
      say(.finished(job: job.id, record: result))
      try? await farm.contents.remove(parcel)
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

  /// Puts a result's files into a job's folder, which may be there.
  private func unpack(_ parcel: String, into job: RenderJob) async throws(Fault) {
    let (fetched, unpacked) = ("\(scratch)/\(UUID().uuidString)", "\(scratch)/\(UUID().uuidString)")
    defer { for path in [fetched, unpacked] { try? FileManager.default.removeItem(atPath: path) } }
    try await farm.contents.get(parcel, to: fetched)
    try Parcel.unpack(fetched, to: unpacked)
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

  /// Writes down and says of a job that it isn't rendered, and why.
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
