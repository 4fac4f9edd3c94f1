internal import Core
internal import Creatives
internal import Device
internal import Foundation
internal import MRAID
internal import Recordings
package import RenderModel
package import WebKitRuntime

/// Renders one creative at a time; a worker process has one, and starts the next web process while this one renders.
@WebKitActor package final class Renderer {
  /// What of the machine is known when a worker starts.
  package struct Environment: Sendable {
    /// Whether bubblewrap works here, so that web processes can be shut in.
    package var sandbox: Bool
    /// Whether this process, too, sees no more of the machine than its jobs take.
    package var isEnclosed: Bool
    /// The folder with the web process extension.
    package var extensionDirectory: String?
    /// The proxy that creatives' requests go by, like `http://127.0.0.1:3128`; nil for none.
    package var proxy: String?

    package init(sandbox: Bool, isEnclosed: Bool, extensionDirectory: String?, proxy: String? = nil) {
      self.proxy = proxy
      self.sandbox = sandbox
      self.isEnclosed = isEnclosed
      self.extensionDirectory = extensionDirectory
    }
  }

  private let environment: Environment
  private let sessions: SessionPool
  /// Keeps what screenshots have in common, from one render to the next.
  private let encoder = ScreenshotEncoder()

  package init(environment: Environment) {
    self.environment = environment
    sessions = SessionPool(environment: environment)
  }

  /// Starts a web process for a job that will come, unless one waits already.
  package func prepare(for job: RenderJob) { sessions.prepare(for: job) }

  /// Renders the job and writes its results; whatever happens, a record comes back.
  ///
  /// `progress` hears of phases: opening, loading, rendering.
  package func render(_ job: RenderJob, progress: @escaping @WebKitActor (String) -> Void) async -> RenderRecord {
    await start(job, progress: progress).value
  }

  /// Renders the job; returns when the next may be rendered, while pictures and record still go to the disk.
  ///
  /// `names` has what the caller calls folders that the job has by other paths, for whatever the record says of them.
  package func start(
    _ job: RenderJob, names: [String: String] = [:], progress: @escaping @WebKitActor (String) -> Void
  ) async -> Task<RenderRecord, Never> {
    let clock = PhaseClock()
    progress("opening")
    var record = emptyRecord(of: job)
    let folder: ResultFolder
    do {
      folder = try ResultFolder.begin(job.output)
    } catch {
      record.fail(.failed, error)
      record.call(folders: names)
      return Task { [record] in record }
    }
    var run: RenderRun?
    do {
      let bundle = try await Self.open(job.creative)
      record.creative.sha256 = bundle.sha256
      record.creative.kind = bundle.kind.rawValue
      record.creative.document = bundle.document
      record.warnings += bundle.warnings
      clock.end("open")
      let finished = try await self.run(job, bundle, folder, clock, progress)
      run = finished
      finished.collect(into: &record)
      record.warnings += await finished.endTraffic()
    } catch {
      record.fail(.failed, error)
    }
    return Task { @WebKitActor [record] in await Self.finish(record, run, folder, clock, names) }
  }

  /// Renders as the page draws itself; with a compositor, from the start, where that is asked for or turns out needed.
  private func run(
    _ job: RenderJob, _ bundle: CreativeBundle, _ folder: ResultFolder, _ clock: PhaseClock,
    _ progress: @escaping @WebKitActor (String) -> Void
  ) async throws(Fault) -> RenderRun {
    let hint = job.options.compositing == .automatic && (hintsAtDepth(job, bundle) || job.attempt > Self.attemptsFlat)
    var isComposited = job.options.compositing == .always || hint
    var said: Size?
    // What may turn out to be a response has pages that come and go.
    let isOnePage = job.placement.kind != .feed && bundle.response == nil && bundle.url == nil
    while true {
      let lease = try await sessions.takeLease(for: job, isOnePage: isOnePage)
      let run = try RenderRun(
        job: job, bundle: bundle, lease: lease, folder: folder, clock: clock,
        isComposited: isComposited, said: said, encoder: encoder, progress: progress)
      await run.run()
      guard let rerun = run.rerun else { return run }
      await run.discard()
      folder.removeScreenshots()
      switch rerun {
      case .composited: isComposited = true
      case .sized(let size): said = size
      }
    }
  }

  /// Bytes of a recording's list, and of a document in it, in which a hint is looked for.
  private static let longestHints = 8 << 20

  /// Whether the document says that it has depth: the creative's own, or at an address the one that was recorded.
  private func hintsAtDepth(_ job: RenderJob, _ bundle: CreativeBundle) -> Bool {
    guard let url = bundle.url, let folder = job.options.traffic?.folder else { return bundle.hintsAtDepth }
    guard let recording = try? RecordingFolder.open(folder), let exchanges = try? recording.exchanges(most: Self.longestHints),
      let content = exchanges.first(where: { $0.url == url })?.response?.content,
      let document = try? recording.body(content, most: Self.longestHints)
    else { return false }
    return CreativeBundle.hintsAtDepth(document)
  }

  /// Attempts without a compositor before a creative is given one: laying depth out without it can end the engine's web
  /// process by an assertion of its own, which isn't the creative's fault.
  private static let attemptsFlat = 2

  /// Waits for the disk, notes what couldn't be written, and writes the record last.
  private static func finish(
    _ collected: RenderRecord, _ run: RenderRun?, _ folder: ResultFolder, _ clock: PhaseClock, _ names: [String: String]
  ) async -> RenderRecord {
    var record = collected
    if let fault = await run?.finishWriting() {
      if record.outcome == .completed { record.fail(.failed, fault) }
      record.screenshots.removeAll { !folder.holds($0.path) }
    }
    clock.end("total", from: clock.began)
    record.timings = clock.milliseconds
    record.call(folders: names)
    do {
      try folder.write(record)
    } catch {
      record.fail(.failed, error)
      record.call(folders: names)
    }
    return record
  }

  private func emptyRecord(of job: RenderJob) -> RenderRecord {
    let engine = RenderRecord.Engine(
      webkit: WebKitEngine.version, galley: Galley.version, sandbox: environment.sandbox)
    var record = RenderRecord(
      creative: RenderRecord.Creative(path: job.creative.argument), device: RenderRecord.DeviceSummary(job.device),
      container: job.container?.name, engine: engine, outcome: .completed, attempts: job.attempt)
    record.consent = job.consent
    if job.measuresByOMID { record.omid = true }
    if !environment.sandbox { record.warnings.append(MachineWarning.sandboxOff) }
    if !environment.isEnclosed { record.warnings.append(MachineWarning.filesVisible) }
    return record
  }

  /// Reads the creative off the web thread.
  @concurrent private nonisolated static func open(_ reference: CreativeReference) async throws(Fault) -> CreativeBundle
  {
    try CreativeBundle.open(reference)
  }
}

extension RenderRecord {
  /// Says a caller's own names of folders that stand in it by other paths.
  fileprivate mutating func call(folders names: [String: String]) {
    for (path, name) in names.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) {
      message = message?.replacingOccurrences(of: path, with: name)
      warnings = warnings.map { $0.replacingOccurrences(of: path, with: name) }
    }
  }
}

/// How long each phase of a render took.
@WebKitActor final class PhaseClock {
  let began = ContinuousClock.now
  private var last = ContinuousClock.now
  private(set) var milliseconds: [String: Double] = [:]

  /// Notes a phase that began at `start`, or where the last one ended.
  func end(_ phase: String, from start: ContinuousClock.Instant? = nil) {
    let now = ContinuousClock.now
    milliseconds[phase] = (((now - (start ?? last)) / .milliseconds(1)) * 10).rounded() / 10
    last = now
  }
}
