package import Core
package import RenderModel

/// Where jobs are rendered: in worker processes of this machine, or by a queue's workers elsewhere.
package protocol RenderPool: Actor {
  /// What becomes of the jobs; ends when `run` does.
  nonisolated var events: AsyncStream<PoolEvent> { get }

  /// Adds jobs while the pool runs or before; their ids are never used twice.
  func submit(_ jobs: [RenderJob]) async

  /// No more jobs will come: `run` returns after the last.
  func close() async

  /// Renders what is submitted until the pool is closed; cancelling the task ends everything at once.
  func run() async
}

extension RenderPool {
  /// Renders the jobs and no others; returns as `run()` does.
  package func run(_ jobs: [RenderJob]) async {
    await submit(jobs)
    await close()
    await run()
  }
}

extension PoolSettings {
  /// The pool that renders by these settings.
  package func pool() -> any RenderPool { farm.map { FarmPool($0) } ?? WorkerPool(self) }
}

/// How a queue's workers are reached: by a program of its own, which speaks to the queue.
package struct FarmCall: Hashable, Sendable {
  /// Absolute path of the program, and its words.
  package var executable: String
  package var words: [String]

  /// The program beside this one, called with the queue's options.
  package init(_ options: [String]) throws(Fault) {
    guard let executable = Executables.beside("galley-server") else {
      throw .engine("server-missing", "galley-server isn't built: swift build --product galley-server builds it")
    }
    (self.executable, words) = (executable, ["send"] + options)
  }
}

/// Has jobs rendered elsewhere: hands them to the program that sends them, and tells what it says of them.
package actor FarmPool: RenderPool {
  package nonisolated let events: AsyncStream<PoolEvent>
  private let call: FarmCall
  private let publish: AsyncStream<PoolEvent>.Continuation
  private let requests: AsyncStream<[UInt8]>
  private let request: AsyncStream<[UInt8]>.Continuation
  /// What isn't done, and whether something was said of it.
  private var jobs: [Int: (job: RenderJob, hasBegun: Bool)] = [:]

  /// What the program is told so that it takes back whatever isn't done.
  package static let cancelling = "cancel"
  /// Seconds that it has for that.
  private static let patience = 8

  init(_ call: FarmCall) {
    self.call = call
    (events, publish) = AsyncStream.makeStream()
    (requests, request) = AsyncStream.makeStream()
  }

  package func submit(_ jobs: [RenderJob]) {
    for job in jobs {
      guard let text = JSONText.plain(WorkerRequest.render(job)) else {
        end(job, .engine("job-unsendable", "the job can't be sent: it has no form in JSON"))
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
      executable: call.executable, arguments: call.words, environment: [:], requests: requests, kills: kills)
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
      let fault = Fault.engine("queue-sender-ended", "what sends to the queue \(exit.description)\(exit.quote)")
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

  /// Writes and tells a record of a job that nobody renders.
  private func end(_ job: RenderJob, _ fault: Fault) {
    let record = InterruptedRecord(job: job, outcome: .failed, fault: fault, attempts: 1).record()
    let folder = ResultFolder(job.output)
    try? folder.create()
    try? folder.write(record)
    publish.yield(.finished(job: job.id, record: record))
  }
}

/// The record of a job that a queue's workers couldn't render, as the pool itself would have written it.
package enum UnrenderedRecord {
  package static func make(_ job: RenderJob, _ fault: Fault, attempts: Int) -> RenderRecord {
    let outcome: RenderRecord.Outcome = fault.origin == .deadline ? .timedOut : .failed
    return InterruptedRecord(job: job, outcome: outcome, fault: fault, attempts: max(1, attempts)).record()
  }
}
