internal import Core
internal import Files
internal import Foundation
internal import Rendering
internal import RenderModel
internal import Synchronization

/// Takes jobs in order; while one renders, the web process of the next is started, and while one's pictures are written
/// the next renders.
struct WorkerLoop {
  let sandbox: Bool
  /// Whether the jobs' files are all that this process sees, brought by the carrier.
  let isEnclosed: Bool
  let extensionDirectory: String?
  let proxy: String?

  /// Whether this worker's jobs are those with a clock of their own.
  static var livesInClock: Bool {
    ProcessInfo.processInfo.environment[WorkerRequest.clockVariable] == RenderOptions.Clock.virtual.rawValue
  }

  func run() async {
    let environment = Renderer.Environment(
      sandbox: sandbox, isEnclosed: isEnclosed, extensionDirectory: extensionDirectory, proxy: proxy)
    let renderer = await Renderer(environment: environment)
    let (jobs, feed) = AsyncStream<PlacedJob>.makeStream()
    let queue = JobQueue()
    Thread.detachNewThread { read(into: feed, queue) }
    Self.send(.ready)
    // What is said of a job waits until the one before is finished.
    var last: Task<Void, Never>?
    for await carried in jobs {
      let job = carried.job
      let before = last
      let orderedOutput = OrderedOutput(after: before)
      orderedOutput.send(.progress(job: job.id, phase: "started"))
      let finishing = await renderer.start(job, names: carried.names) { phase in
        orderedOutput.send(.progress(job: job.id, phase: phase))
        if phase == "rendering", let next = queue.next(after: job.id) { renderer.prepare(for: next) }
      }
      await before?.value
      last = Task {
        let record = await finishing.value
        orderedOutput.send(.finished(job: job.id, record: record))
        await orderedOutput.end()
      }
    }
    await last?.value
  }

  /// Reads requests until the input ends; a line that is none is a bug of the command's and ends the worker.
  private func read(into feed: AsyncStream<PlacedJob>.Continuation, _ queue: JobQueue) {
    while let line = readLine() {
      guard let carried = request(line) else { Report.fail("not a request: \(line.prefix(200))") }
      queue.add(carried.job)
      feed.yield(carried)
    }
    feed.finish()
  }

  /// What a line asks for, with where the carrier says that the files are.
  private func request(_ line: String) -> PlacedJob? {
    let carried = CarriedLine(line)
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
      guard case .finished(let job, let record) = message, record.code != "record-unsendable" else {
        Report.fail("can't say what became of a job: \(error)")
      }
      let fault = Fault.engine("record-unsendable", "the record can't be sent: \(error)")
      let plain = RenderRecord(
        creative: record.creative, device: record.device, outcome: .failed, failure: fault, attempts: record.attempts)
      return send(.finished(job: job, record: plain))
    }
    // The command may be gone; then so is this worker, soon.
    try? FileWriting.writeAll(line, to: FileHandle.standardOutput.fileDescriptor)
  }
}

/// The jobs a worker has been given, so that it can look at the one to come.
final class JobQueue: Sendable {
  private let jobs = Mutex<[RenderJob]>([])

  func add(_ job: RenderJob) { jobs.withLock { $0.append(job) } }

  /// The job that follows this one, if it has come; forgets all before.
  func next(after id: Int) -> RenderJob? {
    jobs.withLock { jobs in
      guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
      jobs.removeFirst(index)
      return jobs.dropFirst().first
    }
  }
}

/// What a worker says of one job, in order, held back until all of the job before is said.
struct OrderedOutput: Sendable {
  private let words: AsyncStream<WorkerMessage>.Continuation
  private let speaking: Task<Void, Never>

  init(after before: Task<Void, Never>?) {
    let (stream, words) = AsyncStream<WorkerMessage>.makeStream()
    self.words = words
    speaking = Task {
      await before?.value
      for await message in stream { WorkerLoop.send(message) }
    }
  }

  func send(_ message: WorkerMessage) { words.yield(message) }

  /// Returns when all is said.
  func end() async {
    words.finish()
    await speaking.value
  }
}
