internal import Core
internal import Creatives
internal import Device
package import Engine
internal import Foundation
internal import MRAID
internal import Recordings
package import RenderModel
internal import WebKitRuntime

/// Renders one creative at a time. A worker process has one renderer, which starts the next web process during a
/// render.
@EngineActor package final class Renderer {
  /// Facts about the machine that are known when a worker starts.
  package struct Environment: Sendable {
    /// Indicates if bubblewrap works here, so that web processes can be sandboxed.
    package var sandbox: Bool
    /// Indicates if this process, too, sees only the files that its jobs need.
    package var isEnclosed: Bool
    /// Folder with the web process extension.
    package var extensionDirectory: String?
    /// Proxy for the creatives' requests, like `http://127.0.0.1:3128`; nil for none.
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
  /// Encoder that keeps data common to screenshots from one render to the next.
  private let encoder = ScreenEncoder()

  package init(environment: Environment) {
    self.environment = environment
    sessions = SessionPool(environment: environment)
  }

  /// Starts a web process for a later job, unless one is waiting already.
  package func prepare(for job: RenderJob) {
    guard (try? job.validate()) != nil else { return }
    sessions.prepare(for: job)
  }

  /// Renders the job and writes its results; returns a record in any case.
  ///
  /// `progress` receives the phases: opening, loading, rendering.
  package func render(_ job: RenderJob, progress: @escaping @EngineActor (String) -> Void) async -> RenderRecord {
    await start(job, progress: progress).value
  }

  /// Renders the job; returns when the next may be rendered, while screenshots and record are still being written to
  /// the disk.
  ///
  /// `names` maps paths of the job's folders to the caller's names for them, which the record's messages use.
  package func start(
    _ job: RenderJob, names: [String: String] = [:], progress: @escaping @EngineActor (String) -> Void
  ) async -> Task<RenderRecord, Never> {
    let clock = PhaseClock()
    progress("opening")
    var record = emptyRecord(of: job)
    let folder: ResultFolder
    do {
      folder = try ResultFolder.begin(job.output)
    } catch {
      record.fail(error)
      record.call(folders: names)
      return Task { [record] in record }
    }
    var run: RenderRun?
    do {
      try job.validate()
      try checkMachine(for: job)
      let bundle = try await Self.open(job.creative)
      record.creative.sha256 = bundle.sha256
      record.creative.kind = bundle.kind.rawValue
      record.creative.document = bundle.document
      record.warnings += bundle.warnings
      clock.end("open")
      let finished = try await self.run(job, bundle, folder, clock, progress)
      run = finished
      finished.collect(into: &record)
      record.creative.delivered = bundle.delivered
      record.warnings += await finished.endTraffic()
    } catch {
      record.fail(error)
    }
    return Task { @EngineActor [record] in await Self.finish(record, run, folder, clock, names) }
  }

  /// Renders without a compositor, or with one from the start where the job asks for it or the creative needs it.
  private func run(
    _ job: RenderJob, _ bundle: CreativeBundle, _ folder: ResultFolder, _ clock: PhaseClock,
    _ progress: @escaping @EngineActor (String) -> Void
  ) async throws(Fault) -> RenderRun {
    let recorded = Self.recordedDocument(of: job, bundle)
    let hintsAtDepth = recorded.map(CreativeBundle.hintsAtDepth) ?? bundle.hintsAtDepth
    let hint = job.options.compositing == .automatic && (hintsAtDepth || job.attempt > Self.attemptsFlat)
    // Who knows the size before the page is there needn't load the page a second time.
    var attempt = RenderAttempt(
      isComposited: job.options.compositing == .always || hint, said: recorded.flatMap { CreativeMeta.parse($0).size })
    // What may turn out to be a response has pages that come and go.
    let isOnePage = job.placement.kind != .feed && bundle.response == nil && bundle.url == nil
    while true {
      let lease = try await sessions.takeLease(for: job, isOnePage: isOnePage)
      let run = try RenderRun(
        job: job, bundle: bundle, lease: lease, folder: folder, clock: clock,
        attempt: attempt, encoder: encoder, progress: progress)
      await run.run()
      guard let rerun = run.rerun else { return run }
      await run.discard()
      folder.removeScreenshots()
      attempt.change(for: rerun)
    }
  }

  /// Maximum bytes of a recording's list, and of a document in it, that are read for hints.
  private static let longestHints = 8 << 20

  /// Recorded document at the creative's address; nil if there is no recording of it.
  private static func recordedDocument(of job: RenderJob, _ bundle: CreativeBundle) -> [UInt8]? {
    guard let url = bundle.url, let folder = job.options.traffic?.folder,
      let recording = try? RecordingFolder.open(folder), let exchanges = try? recording.exchanges(most: longestHints),
      let content = exchanges.first(where: { $0.url == url })?.response?.content
    else { return nil }
    return try? recording.body(content, most: longestHints)
  }

  /// Number of attempts without a compositor before a creative is given one.
  ///
  /// Layout of depth without a compositor can end the engine's web process by an assertion of its own, which isn't the
  /// creative's fault.
  private static let attemptsFlat = 2

  /// Waits for the disk, notes files that couldn't be written, and writes the record last.
  private static func finish(
    _ collected: RenderRecord, _ run: RenderRun?, _ folder: ResultFolder, _ clock: PhaseClock, _ names: [String: String]
  ) async -> RenderRecord {
    var record = collected
    if let fault = await run?.finishWriting() {
      if record.outcome == .completed { record.fail(fault) }
      record.screenshots.removeAll { !folder.holds($0.path) }
    }
    clock.end("total", from: clock.began)
    record.timings = clock.milliseconds
    record.call(folders: names)
    do {
      try folder.write(record)
    } catch {
      record.fail(error)
      record.call(folders: names)
    }
    return record
  }

  /// Throws if this machine lacks something that the job needs: a sandbox or a time zone.
  private func checkMachine(for job: RenderJob) throws(Fault) {
    guard environment.sandbox || job.options.requiresSandbox != true else {
      throw .engine(.sandboxMissing, "\(MachineWarning.sandboxOff), and it is required")
    }
    // All processes would take a zone that they don't know for UTC, without a word.
    guard let zone = job.options.timeZone, !zone.isInstalled else { return }
    throw .engine("time-zone-missing", "this machine doesn't have the time zone \(zone.text): is tzdata installed?")
  }

  private func emptyRecord(of job: RenderJob) -> RenderRecord {
    let engine = RenderRecord.Engine(
      webkit: WebKitEngine.version, galley: Galley.version, sandbox: environment.sandbox)
    var record = RenderRecord(
      creative: RenderRecord.Creative(path: job.creative.argument), device: RenderRecord.DeviceSummary(job.device),
      container: job.container?.name, engine: engine, outcome: .completed, attempts: job.attempt)
    record.consent = job.consent
    record.locale = job.options.locale ?? .standard
    record.timeZone = job.options.timeZone ?? .standard
    (record.colorScheme, record.reducedMotion) = (job.options.settings.colorScheme, job.options.settings.reducedMotion)
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
  /// Replaces the paths of folders in messages by the caller's own names.
  fileprivate mutating func call(folders names: [String: String]) {
    for (path, name) in names.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) {
      message = message?.replacingOccurrences(of: path, with: name)
      warnings = warnings.map { $0.replacingOccurrences(of: path, with: name) }
    }
  }
}

/// Durations of a render's phases.
@EngineActor final class PhaseClock {
  let began = ContinuousClock.now
  private var last = ContinuousClock.now
  private(set) var milliseconds: [String: Double] = [:]

  /// Notes a phase that began at `start` or, if nil, at the end of the last one.
  func end(_ phase: String, from start: ContinuousClock.Instant? = nil) {
    let now = ContinuousClock.now
    milliseconds[phase] = (((now - (start ?? last)) / .milliseconds(1)) * 10).rounded() / 10
    last = now
  }
}
