internal import Core
internal import Files
internal import Foundation
internal import RenderModel
internal import Rendering
internal import Synchronization

/// Renders jobs in order. The web process of the next job starts during a render, which overlaps the writing of earlier
/// screenshots.
struct WorkerLoop {
  let sandbox: Bool
  /// Indicates that this process sees only its jobs' files, which the carrier brings.
  let isEnclosed: Bool
  let extensionDirectory: String?
  let proxy: String?

  /// Indicates if this worker is meant for jobs with a virtual clock.
  static var livesInClock: Bool {
    ProcessInfo.processInfo.environment[WorkerRequest.clockVariable] == RenderOptions.Clock.virtual.rawValue
  }

  func run() async {
    let environment = Renderer.Environment(
      sandbox: sandbox, isEnclosed: isEnclosed, extensionDirectory: extensionDirectory, proxy: proxy)
    let renderer = await Renderer(environment: environment)
    let queue = JobQueue()
    Thread.detachNewThread { read(into: queue) }
    Self.send(.ready)
    // What is said of a job waits behind the record of the one before.
    let (words, output) = AsyncStream<OutputWord>.makeStream()
    let speaking = Task { for await word in words { Self.send(await word.message) } }
    var before: Task<RenderRecord, Never>?
    while let placed = await queue.take() {
      let job = placed.job
      output.yield(.message(.progress(job: job.id, phase: "started")))
      let finishing = await renderer.start(job, names: placed.names) { phase in
        output.yield(.message(.progress(job: job.id, phase: phase)))
        if phase == "rendering", let next = queue.next { renderer.prepare(for: next) }
      }
      output.yield(.record(of: job.id, finishing))
      // One record at most is still being written while the next job is rendered.
      _ = await before?.value
      before = finishing
    }
    output.finish()
    await speaking.value
  }

  /// Reads requests until the input ends. A line that isn't a request is a bug of the command and ends the worker.
  private func read(into queue: JobQueue) {
    CommandPipes.forEachRequest { line in
      guard let placed = request(line) else { Report.fail("not a request: \(line.prefix(200))") }
      queue.add(placed)
    }
    queue.finish()
  }

  /// Decodes the job in a line, with the carrier's names of its folders; nil if the line isn't a request.
  private func request(_ line: String) -> PlacedJob? {
    let carried = BrokeredLine(line)
    let request = try? JSONDecoder().decode(WorkerRequest.self, from: Data(carried.text.utf8))
    guard case .render(let job)? = request else { return nil }
    return PlacedJob(job, carried.words)
  }

  static func send(_ message: WorkerMessage) {
    let line: [UInt8]
    do {
      line = try JSONText.bytes(message) + [UInt8(ascii: "\n")]
    } catch {
      // A job that nothing is heard of would seem to hang until its time is over.
      guard case .finished(let job, let record) = message, !record.has(.recordUnsendable) else {
        Report.fail("can't say what became of a job: \(error)")
      }
      let fault = Fault.engine(.recordUnsendable, "the record can't be sent: \(error)")
      let plain = RenderRecord(
        creative: record.creative, device: record.device, outcome: .failed, failure: fault, attempts: record.attempts)
      return send(.finished(job: job, record: plain))
    }
    // The command may be gone; then so is this worker, soon.
    try? FileWriting.writeAll(line, to: CommandPipes.messages)
  }
}

/// Jobs that a worker has been given, in order; the next one can be seen before it is taken.
final class JobQueue: Sendable {
  private struct State {
    var jobs: [PlacedJob] = []
    /// Indicates that no job will be added any more.
    var isOver = false
    /// Task that waits for the next job.
    var taker: CheckedContinuation<PlacedJob?, Never>?

    /// Removes the task that waits, and the job for it, if the wait is over; nil otherwise.
    mutating func takeDelivery() -> Delivery? {
      guard let waiting = taker, isOver || !jobs.isEmpty else { return nil }
      taker = nil
      return Delivery(taker: waiting, job: jobs.isEmpty ? nil : jobs.removeFirst())
    }
  }

  private struct Delivery {
    let taker: CheckedContinuation<PlacedJob?, Never>
    let job: PlacedJob?
  }

  private let state = Mutex(State())

  /// Job that will be taken next; nil if it hasn't come yet.
  var next: RenderJob? { state.withLock { $0.jobs.first?.job } }

  func add(_ job: PlacedJob) {
    change { $0.jobs.append(job) }
  }

  /// Ends the queue behind the jobs that it has.
  func finish() {
    change { $0.isOver = true }
  }

  /// Removes and returns the first job, as soon as there is one; nil at the end. Only one task may wait at a time.
  func take() async -> PlacedJob? {
    await withCheckedContinuation { taker in change { $0.taker = taker } }
  }

  private func change(_ body: (inout State) -> Void) {
    let delivery: Delivery? = state.withLock { state in
      body(&state)
      return state.takeDelivery()
    }
    if let delivery { delivery.taker.resume(returning: delivery.job) }
  }
}

/// Part of a worker's output, in the order in which it is sent.
enum OutputWord: Sendable {
  case message(WorkerMessage)
  /// Record of a job, which may still be being written.
  case record(of: Int, Task<RenderRecord, Never>)

  /// The message to send, once it is known.
  var message: WorkerMessage {
    get async {
      switch self {
      case .message(let message): message
      case .record(let job, let finishing): .finished(job: job, record: await finishing.value)
      }
    }
  }
}
