package import Checks
package import Exploration
internal import Foundation
package import Jobs
internal import MRAID
internal import Stage
package import Workers

/// One creative being explored: turns trials into jobs, and what renders left on disk into results.
package struct Expedition: Sendable {
  /// The plan's job, whose folder gets the results.
  package let job: RenderJob
  package private(set) var explorer: Explorer
  /// The first trial's record stands for the creative.
  package private(set) var record: RenderRecord?
  private var trials: [Int: Trial] = [:]
  /// What each trial brought, by its number, for checks.
  private var journeys: [Int: Journey] = [:]
  private var renderMilliseconds = 0.0
  private let began = ContinuousClock.now

  package var folder: ResultFolder { ResultFolder(job.output) }
  package var isDone: Bool { explorer.isDone }

  package init(job: RenderJob, budget: Budget) {
    self.job = job
    explorer = Explorer(
      placement: job.placement.kind, scrollDistance: job.device.screen.height.rounded(), budget: budget)
  }

  /// The first trial, an ordinary render into the creative's own folder.
  package mutating func start(id: Int) -> RenderJob { render(explorer.start(), id: id) }

  /// Takes a trial's record in; the trials that follow get ids from `next`.
  package mutating func take(_ record: RenderRecord, of id: Int, next: inout Int) -> [RenderJob] {
    guard let trial = trials.removeValue(forKey: id) else { return [] }
    if trial.number == 0 { self.record = record }
    renderMilliseconds += record.timings["total"] ?? 0
    let result = result(of: trial, record)
    if let act = trial.act { journeys[trial.number] = Journey(action: act.label, events: Array(result.news)) }
    return explorer.take(result).map { trial in
      defer { next += 1 }
      return render(trial, id: next)
    }
  }

  /// What was found, on disk and for telling; nil when the creative couldn't be rendered at all.
  package func finish() throws(Fault) -> ExploredCreative? {
    defer { ExplorationFiles(folder: folder, job: job).clear() }
    guard let record, isDone, explorer.failure == nil, !explorer.states.isEmpty else { return nil }
    let found = explorer.exploration(placement: job.placement, vocabulary: CreativeVocabulary.read(job.creative))
    let timings = [
      "wall": (began.duration(to: .now) / .milliseconds(1)).rounded(), "renders": renderMilliseconds.rounded(),
    ]
    let document = ExplorationDocument(found, record: record, timings: timings)
    try ExplorationFiles(folder: folder, job: job).write(found, document)
    return ExploredCreative(
      found: found, document: document, journeys: journeys.sorted { $0.key < $1.key }.map(\.value),
      engineFailed: explorer.engineFailed)
  }

  /// Where a trial renders to.
  func output(of trial: Int) -> String { trial == 0 ? job.output : "\(folder.trials)/\(trial)" }

  private mutating func render(_ trial: Trial, id: Int) -> RenderJob {
    trials[id] = trial
    var render = job
    render.id = id
    render.output = output(of: trial.number)
    render.scenario = trial.scenario(placement: job.placement)
    render.options.explores = true
    // The first trial is the ordinary render; measuring takes seconds.
    render.options.measures = job.options.measures && trial.number == 0
    return render
  }

  private func result(of trial: Trial, _ record: RenderRecord) -> TrialResult {
    let folder = ResultFolder(output(of: trial.number))
    let observations =
      (try? Data(contentsOf: URL(filePath: folder.observations)))
      .flatMap { try? JSONDecoder().decode([Observation].self, from: $0) } ?? []
    return TrialResult(
      trial: trial, record: record, events: EventLog.events(at: folder.events), observations: observations)
  }
}

/// What came of exploring one creative.
package struct ExploredCreative: Sendable {
  package let found: Exploration
  package let document: ExplorationDocument
  /// The events of each thing tried, in the trials' order.
  package let journeys: [Journey]
  /// Whether a trial failed by Galley's fault.
  package let engineFailed: Bool
}
