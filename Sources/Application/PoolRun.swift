@preconcurrency internal import Dispatch
internal import Glibc
package import RenderModel
internal import Synchronization
package import Workers

/// Run of jobs in a pool, guarded by the watchdog and ended early by a signal.
package struct PoolRun: Sendable {
  private let settings: PoolSettings

  package init(settings: PoolSettings) { self.settings = settings }

  /// Renders all jobs and reports each event; returns the records by job, and true if a signal ended the run.
  package func render(
    _ jobs: [RenderJob], onProgress: (PoolEvent) -> Void = { _ in }
  ) async -> (records: [Int: RenderRecord], interrupted: Bool) {
    guard !jobs.isEmpty else { return ([:], false) }
    let jobs = settings.prepared(jobs)
    let pool = settings.pool()
    // A signal may come before there is anything to end.
    let (signals, signal) = AsyncStream.makeStream(of: Void.self)
    let interruption = Interruption { signal.yield() }
    let work = Task {
      await Watchdog.during(settings.run, executable: Executables.own) { await pool.run(jobs) }
    }
    let ending = Task {
      for await _ in signals { work.cancel() }
    }
    defer { ending.cancel() }
    var records: [Int: RenderRecord] = [:]
    for await event in pool.events {
      if case .finished(let job, let record) = event {
        records[job] = keepingRecording(of: job, in: jobs, record)
        UnsandboxedRenders.note(record)
      }
      onProgress(event)
    }
    await work.value
    return (records, interruption.hasHappened)
  }

  /// Returns the record after the network recording of the render has been written to its file.
  private func keepingRecording(of id: Int, in jobs: [RenderJob], _ record: RenderRecord) -> RenderRecord {
    guard let plan = settings.recordings, let job = jobs.first(where: { $0.id == id }) else { return record }
    var record = record
    if let problem = plan.keep(job, ofSeveral: jobs.count > 1) { record.warnings.append(problem) }
    return record
  }

  /// Renders all jobs like the other method, with progress that also reports the pool's beginning and end.
  package func render(
    _ jobs: [RenderJob], progress: (PoolProgress) -> Void
  ) async -> (records: [Int: RenderRecord], interrupted: Bool) {
    progress(.began(jobs: jobs.count))
    defer { progress(.ended) }
    return await render(jobs) { progress(.event($0)) }
  }
}

/// Progress of jobs in a pool.
package enum PoolProgress: Sendable {
  case began(jobs: Int)
  case event(PoolEvent)
  case ended
}

/// Listens for the signals that end a run early; a second one ends the program at once.
final class Interruption: Sendable {
  /// Number of received signals.
  private final class Count: Sendable {
    let value = Atomic(0)
  }

  private let count = Count()
  private let sources: [any DispatchSourceSignal]

  /// Makes the listener, which calls `handler` at the first signal.
  init(_ handler: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "galley.signals")
    sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].compactMap { [count] number in
      let wasIgnored = unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      // A shell's background job has SIGINT ignored and still is to end by it; under nohup SIGHUP is meant to be.
      if wasIgnored, number == SIGHUP { return nil }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The guard cleans up after a hasty end; the number is what shells call one by SIGINT.
        if count.value.add(1, ordering: .relaxed).newValue > 1 { _exit(128 + SIGINT) }
        handler()
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  var hasHappened: Bool { count.value.load(ordering: .relaxed) > 0 }
}
