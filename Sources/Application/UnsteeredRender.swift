internal import Checks
import Core
package import RenderModel
internal import Workers

/// Render of a creative without its own scenario.
///
/// The creative's own scenario can end before the ad has acted. A verdict therefore also counts the ad's behaviour
/// without it: the scenario can reveal more, but hide nothing.
package struct UnsteeredRender: Sendable {
  package let job: RenderJob
  package let record: RenderRecord

  package init(job: RenderJob, record: RenderRecord) { (self.job, self.record) = (job, record) }

  /// Adds the results to the evidence of the render with the scenario; a failed render replaces its record.
  func add(to context: inout CheckContext) {
    let folder = ResultFolder(job.output)
    context.addUnsteered(folder.log.events(), late: folder.readMeasurements()?.late)
    if record.outcome != .completed, context.record.outcome == .completed { context.record = record }
  }
}

/// Renders the creatives of a run that have their own scenarios without them.
struct UnsteeredRun: Sendable {
  let settings: PoolSettings

  /// Returns the renders by the plan's item, and true if a signal interrupted them.
  ///
  /// Creatives whose first render didn't complete aren't rendered again.
  func run(
    _ jobs: [RenderJob], _ records: [Int: RenderRecord]
  ) async throws(Fault) -> (renders: [Int: UnsteeredRender], interrupted: Bool) {
    var unsteered: [RenderJob] = []
    for job in jobs where records[job.id]?.outcome == .completed {
      guard let other = job.unsteered(id: job.id, output: "") else { continue }
      unsteered.append(other)
    }
    guard !unsteered.isEmpty else { return ([:], false) }
    let folder = try ScratchFolder.make()
    for index in unsteered.indices { unsteered[index].output = "\(folder)/\(unsteered[index].id)" }
    var settings = settings
    // A recording has what the render with the scenario asked for.
    if settings.recordings?.record != nil { settings.recordings = nil }
    let (found, interrupted) = await PoolRun(settings: settings).render(unsteered)
    var renders: [Int: UnsteeredRender] = [:]
    for job in unsteered {
      if let record = found[job.id] { renders[job.id] = UnsteeredRender(job: job, record: record) }
    }
    return (renders, interrupted)
  }
}
