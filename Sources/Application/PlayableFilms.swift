internal import Checks
internal import Core
internal import Device
internal import Exploration
package import Pixels
internal import RenderModel
internal import Workers

/// Recordings of the fullest way through each playable, for the networks that have to accept its build.
package struct PlayableFilms: Sendable {
  /// Format of the recordings, which the HTML report contains.
  package static let format = FilmFormat.webp
  /// Maximum length of a recording in seconds.
  private static let length = 60.0
  /// Time limit in seconds of a render, whose frames take longer than they last.
  private static let timeout = 300.0

  private let plan: BatchPlan
  private var settings: PoolSettings

  init(plan: BatchPlan, settings: PoolSettings) {
    (self.plan, self.settings) = (plan, settings)
    // A recording of the network has what the exploration asked for.
    if settings.recordings?.record != nil { self.settings.recordings = nil }
  }

  /// Recording of one result, or the reason why there is none.
  enum Film: Hashable, Sendable {
    case file(String)
    case missing(String)
  }

  /// Records the ways into the results' folders; returns the outcomes by the plan's item, and true if a signal ended
  /// the run.
  func record(_ explored: [Int: ExploredCreative]) async throws(Fault) -> (films: [Int: Film], interrupted: Bool) {
    var jobs: [RenderJob] = []
    for (index, item) in plan.items.enumerated() {
      guard case .render(let job) = item.work, item.trial?.asked.isEmpty == false,
        let way = explored[index]?.found.fullestWay
      else { continue }
      jobs.append(filming(job, way))
    }
    guard !jobs.isEmpty else { return ([:], false) }
    let scratch = try ScratchFolder.make()
    let outputs = jobs.map(\.output)
    for index in jobs.indices { jobs[index].output = "\(scratch)/\(index)" }
    let (records, interrupted) = await PoolRun(settings: settings).render(jobs)
    guard !interrupted else { return ([:], true) }
    var films: [Int: Film] = [:]
    for (job, output) in zip(jobs, outputs) {
      films[job.id] = await film(records[job.id], of: job, to: ResultFolder(output))
    }
    return (films, false)
  }

  private func filming(_ job: RenderJob, _ way: Scenario) -> RenderJob {
    var job = job
    job.scenario = way
    (job.options.measures, job.options.captures) = (false, CaptureSchedule())
    job.options.film = FilmRequest(length: Self.length, view: .screen, playsScenario: true)
    job.device.scale = 1
    job.limits.timeout = max(job.limits.timeout, Self.timeout)
    return job
  }

  private func film(_ record: RenderRecord?, of job: RenderJob, to folder: ResultFolder) async -> Film {
    let made = ResultFolder(job.output)
    guard made.holds(FilmRequest.fileName) else {
      return .missing(record?.fault?.message ?? "the render didn't complete")
    }
    do {
      try await FilmProgram.encode(made.film, as: Self.format, to: folder.encodedFilm)
      return .file(ResultFolder.encodedFilm)
    } catch {
      return .missing(error.message)
    }
  }
}
