internal import Bundles
package import Jobs
internal import MRAID
internal import Stage
package import WebKitRuntime

/// Renders one creative at a time; a worker process has one, and starts the next web process while this one renders.
@WebKitActor package final class Renderer {
  /// What of the machine is known when a worker starts.
  package struct Environment: Sendable {
    /// Whether bubblewrap works here, so that web processes can be shut in.
    package var sandbox: Bool
    /// The folder with the web process extension.
    package var extensionDirectory: String?

    package init(sandbox: Bool, extensionDirectory: String?) {
      self.sandbox = sandbox
      self.extensionDirectory = extensionDirectory
    }
  }

  private let environment: Environment
  private let sessions: SessionPool

  package init(environment: Environment) {
    self.environment = environment
    sessions = SessionPool(environment: environment)
  }

  /// Starts a web process for a job that will come, unless one waits already.
  package func prepare(for job: RenderJob) { sessions.prepare(for: job) }

  /// Renders the job and writes its results; whatever happens, a record comes back.
  ///
  /// `progress` hears of phases: opening, loading, ready, and each step after.
  package func render(_ job: RenderJob, progress: @escaping @WebKitActor (String) -> Void) async -> RenderRecord {
    let clock = PhaseClock()
    progress("opening")
    var record = emptyRecord(of: job)
    do {
      let folder = try OutputFolder(job.output)
      do {
        let bundle = try await Self.open(job.creative)
        record.creative.sha256 = bundle.sha256
        record.creative.kind = bundle.kind.rawValue
        clock.end("open")
        let seat = await sessions.take(for: job)
        let run = try RenderRun(
          job: job, bundle: bundle, seat: seat, folder: folder, clock: clock, progress: progress)
        await run.run()
        await run.complete(&record)
      } catch {
        record.fail(.failed, error)
      }
      clock.end("total", from: clock.began)
      record.timings = clock.milliseconds
      try folder.write(record)
    } catch {
      record.fail(.failed, error)
    }
    return record
  }

  private func emptyRecord(of job: RenderJob) -> RenderRecord {
    let device = RenderRecord.DeviceSummary(
      name: job.device.name, width: job.device.screen.width, height: job.device.screen.height, scale: job.device.scale,
      renderScale: job.device.renderScale)
    let engine = RenderRecord.Engine(
      webkit: WebKitEngine.version, galley: Galley.version, sandbox: environment.sandbox)
    var record = RenderRecord(
      creative: RenderRecord.Creative(path: job.creative.argument), device: device, engine: engine, outcome: .completed,
      attempts: job.attempt)
    if !environment.sandbox { record.warnings.append("WebKit's sandbox is off: bubblewrap doesn't work here") }
    return record
  }

  /// Reads the creative off the web thread.
  @concurrent private nonisolated static func open(_ reference: CreativeReference) async throws(Fault) -> CreativeBundle {
    try CreativeBundle.open(reference)
  }
}

extension RenderRecord {
  /// Notes why the render didn't complete.
  mutating func fail(_ outcome: Outcome, _ fault: Fault) {
    self.outcome = outcome
    message = fault.message
    self.fault = fault.blame
    code = fault.code
  }
}
