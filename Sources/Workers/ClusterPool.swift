package import Core
package import RenderModel

/// Program that sends jobs to a queue, as it is called; the queue's workers are reached through it.
package struct SenderProgram: Hashable, Sendable {
  /// Absolute path of the program, and its arguments.
  package var executable: String
  package var words: [String]

  /// `galley-server` beside this program, called with the queue's options.
  package init(_ options: [String]) throws(Fault) {
    guard let executable = Executables.beside("galley-server") else {
      throw .engine("server-missing", "galley-server is missing: build it with swift build --product galley-server")
    }
    (self.executable, words) = (executable, ["send"] + options)
  }
}

/// Pool that passes jobs to the program that sends them to a queue, and publishes the events that the program reports.
package actor ClusterPool: RenderPool {
  package nonisolated let events: AsyncStream<PoolEvent>
  private let sender: SenderProgram
  private let publish: AsyncStream<PoolEvent>.Continuation
  private let requests: AsyncStream<[UInt8]>
  private let request: AsyncStream<[UInt8]>.Continuation
  /// Unfinished jobs by id; `hasBegun` is true once the program has reported progress.
  private var jobs: [Int: (job: RenderJob, hasBegun: Bool)] = [:]

  /// Line that makes the program withdraw all unfinished jobs.
  package static let cancelling = "cancel"
  /// Seconds that the program has for that before it is killed.
  private static let patience = 8

  init(_ sender: SenderProgram) {
    self.sender = sender
    (events, publish) = AsyncStream.makeStream()
    (requests, request) = AsyncStream.makeStream()
  }

  package func submit(_ jobs: [RenderJob]) {
    for job in jobs {
      guard let text = JSONText.plain(WorkerRequest.render(job)) else {
        end(job, .engine("job-unsendable", "can't send the job: it can't be encoded as JSON"))
        continue
      }
      self.jobs[job.id] = (job, false)
      request.yield(Array(text.utf8) + [10])
    }
  }

  package func close() { request.finish() }

  package func run() async {
    let (kills, kill) = AsyncStream.makeStream(of: Void.self)
    let process = WorkerProcess(
      executable: sender.executable, arguments: sender.words, environment: [:], requests: requests, kills: kills)
    // A task of its own: when the run is cancelled what was sent has still to be taken back.
    let work = Task { await process.run { await self.receive($0) } }
    let exit = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      request.yield(Array((Self.cancelling + "\n").utf8))
      request.finish()
      Task {
        try? await Task.sleep(for: .seconds(Self.patience))
        kill.yield()
      }
    }
    if !Task.isCancelled {
      let fault = Fault.engine("queue-sender-ended", "the sender to the queue \(exit.description)\(exit.quote)")
      for (job, _) in jobs.values.sorted(by: { $0.job.id < $1.job.id }) { end(job, fault) }
    }
    publish.finish()
  }

  private func receive(_ message: WorkerMessage) {
    switch message {
    case .ready: break
    case .progress(let job, let phase):
      guard let known = jobs[job] else { return }
      if !known.hasBegun { publish.yield(.started(job: job, attempt: 1)) }
      jobs[job]?.hasBegun = true
      publish.yield(.progress(job: job, phase: phase))
    case .finished(let job, let record):
      guard jobs.removeValue(forKey: job) != nil else { return }
      publish.yield(.finished(job: job, record: record))
    }
  }

  /// Writes and publishes the record of a job that can't be rendered.
  private func end(_ job: RenderJob, _ fault: Fault) {
    let record = InterruptedRecord(job: job, fault: fault, attempts: 1).record()
    let folder = ResultFolder(job.output)
    try? folder.create()
    try? folder.write(record)
    publish.yield(.finished(job: job.id, record: record))
  }
}
