package import Checks
package import Core
internal import Creatives
internal import Device
package import Exploration
internal import Foundation
internal import Glibc
internal import MRAID
package import RenderModel

/// One creative being explored: turns trials into jobs, and what renders left on disk into results.
package struct ExplorationJob: Sendable {
  /// The plan's job, whose folder gets the results.
  package let job: RenderJob
  package private(set) var crawler: Crawler
  /// The first trial's record stands for the creative.
  package private(set) var record: RenderRecord?
  private var trials: [Int: Trial] = [:]
  private var latestTrial = 0
  /// What each trial brought, by its number, for checks.
  private var journeys: [Int: Journey] = [:]
  private var renderMilliseconds = 0.0
  private let began = ContinuousClock.now

  package var folder: ResultFolder { ResultFolder(job.output) }
  package var isDone: Bool { crawler.isDone }

  package init(job: RenderJob, budget: Budget) {
    self.job = job
    crawler = Crawler(
      placement: job.placement.kind, scrollDistance: job.device.screen.height.rounded(), budget: budget)
  }

  /// The first trial, an ordinary render into the creative's own folder.
  package mutating func start(id: Int) -> RenderJob { render(crawler.start(), id: id) }

  /// Takes a trial's record in; the trials that follow get ids from `next`.
  package mutating func handleResult(_ record: RenderRecord, of id: Int, next: inout Int) -> [RenderJob] {
    guard let trial = trials.removeValue(forKey: id) else { return [] }
    if trial.number == 0 { self.record = record }
    renderMilliseconds += record.timings["total"] ?? 0
    let result = result(of: trial, record)
    if let act = trial.act { journeys[trial.number] = Journey(action: act.label, events: Array(result.news)) }
    return crawler.handleResult(result).map { trial in
      defer { next += 1 }
      return render(trial, id: next)
    }
  }

  /// What was found, on disk and for telling; nil when the creative couldn't be rendered at all.
  package func finish() throws(Fault) -> ExploredCreative? {
    defer { ExplorationFiles(folder: folder, job: job).clear() }
    guard let record, isDone, crawler.failure == nil, !crawler.states.isEmpty else { return nil }
    let found = crawler.exploration(placement: job.placement, vocabulary: CreativeMRAIDUsage.read(job.creative))
    let timings = [
      "wall": (began.duration(to: .now) / .milliseconds(1)).rounded(), "renders": renderMilliseconds.rounded(),
    ]
    let document = ExplorationDocument(found, record: record, timings: timings)
    try ExplorationFiles(folder: folder, job: job).write(found, document)
    return ExploredCreative(
      found: found, document: document, journeys: journeys.sorted { $0.key < $1.key }.map(\.value),
      engineFailed: crawler.engineFailed)
  }

  /// Where its trials rendered to, in their order.
  var outputs: [String] { (0...latestTrial).map(output) }

  /// Where a trial renders to.
  func output(of trial: Int) -> String { trial == 0 ? job.output : "\(folder.trials)/\(trial)" }

  private mutating func render(_ trial: Trial, id: Int) -> RenderJob {
    trials[id] = trial
    latestTrial = max(latestTrial, trial.number)
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
    return TrialResult(
      trial: trial, record: record, events: folder.log.events(), observations: folder.readObservations())
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

/// What an exploration leaves in the creative's folder, and what it takes away from there.
struct ExplorationFiles {
  let folder: ResultFolder
  let job: RenderJob

  func write(_ found: Exploration, _ document: ExplorationDocument) throws(Fault) {
    do {
      let files = FileManager.default
      for path in [folder.states, folder.scenarios] {
        try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      for state in found.states { try keep(state.seen.picture, of: state.trial, as: state.slug) }
      for edge in found.edges {
        if let name = found.awayName(of: edge) { try keep(edge.awayScreenshot, of: edge.trial, as: name) }
      }
      for replay in found.replays {
        try write(
          ScenarioWriter.text(of: replay.scenario, comment: comment(replay)), to: "\(folder.scenarios)/\(replay.file)")
      }
      try write(StateGraph(found).mermaid, to: folder.graph)
      try write(JSONText.of(document), to: folder.exploration)
    } catch {
      throw .engine("output-failed", "can't write the exploration to \(folder.path): \(error.localizedDescription)")
    }
  }

  /// Takes away what only exploring needed; what can't be removed does no harm.
  func clear() {
    for path in [folder.trials, folder.observations] { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Copies a trial's picture and that of the ad alone, which may not be there.
  private func keep(_ picture: String?, of trial: Int, as name: String) throws {
    guard let picture else { return }
    let from = trial == 0 ? folder.screenshots : ResultFolder("\(folder.trials)/\(trial)").screenshots
    for suffix in ["", "-ad"] {
      let source = "\(from)/\(picture)\(suffix).png"
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: "\(folder.states)/\(name)\(suffix).png")
    }
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// How to play it: the scenario names the placement, the device is the caller's.
  private func comment(_ replay: Replay) -> [String] {
    let orientation = job.orientation.map { " --orientation \($0.rawValue)" } ?? ""
    let device = job.device.name == DeviceCatalogue.defaultName ? "" : " --device \(job.device.name)"
    return [
      replay.title, "galley render \(job.creative.argument) --scenario \(replay.file)\(device)\(orientation)",
    ]
  }
}

/// Reads a creative's own files for the MRAID methods they name.
enum CreativeMRAIDUsage {
  /// Files looked at, and bytes of each beside the data in it.
  private static let mostFiles = 50
  private static let largest = 2_000_000

  /// The document's, and those of the documents and scripts that it and they name; nil for an address.
  static func read(_ reference: CreativeReference) -> MRAIDUsage? {
    guard let bundle = try? CreativeBundle.open(reference), let entry = bundle.entry else { return nil }
    var vocabulary = MRAIDUsage()
    var waiting = [entry]
    var known: Set<String> = [entry.path]
    while let file = waiting.popLast() {
      let text = Excerpt(of: file.bytes, most: largest).text
      vocabulary.read(text)
      let folder = file.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for name in MRAIDUsage.references(in: text) where known.count < mostFiles {
        // Whatever a creative brings under the container's name never runs.
        guard !MRAIDScriptRequest.matches(name), let found = try? bundle.resource(path: folder + name),
          known.insert(found.path).inserted
        else { continue }
        waiting.append(found)
      }
    }
    return vocabulary
  }
}
