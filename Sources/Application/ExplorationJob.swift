package import Checks
package import Core
internal import Creatives
internal import Device
package import Exploration
internal import Foundation
internal import Glibc
internal import MRAID
package import RenderModel

/// Exploration of one creative: turns trials into jobs, and the results of renders into trial results.
package struct ExplorationJob: Sendable {
  /// Job of the plan, whose folder receives the results.
  package let job: RenderJob
  package private(set) var crawler: Crawler
  /// Record of the first trial, which represents the creative.
  package private(set) var record: RenderRecord?
  private var trials: [Int: Trial] = [:]
  private var latestTrial = 0
  /// Events of each trial for the checks, by the trial's number.
  private var journeys: [Int: Journey] = [:]
  private var renderMilliseconds = 0.0
  private let began = ContinuousClock.now

  package var folder: ResultFolder { ResultFolder(job.output) }
  package var isDone: Bool { crawler.isDone }

  package init(job: RenderJob, budget: Budget) {
    self.job = job
    crawler = Crawler(
      placement: job.placement.kind, screen: job.device.screen, budget: budget)
  }

  /// Returns the job of the first trial, an ordinary render into the creative's own folder.
  package mutating func start(id: Int) -> RenderJob { render(crawler.start(), id: id) }

  /// Processes a trial's record and returns the jobs of the next trials, with ids from `next`.
  package mutating func handleResult(_ record: RenderRecord, of id: Int, next: inout Int) -> [RenderJob] {
    guard let trial = trials.removeValue(forKey: id) else { return [] }
    if trial.number == 0 { self.record = record }
    renderMilliseconds += record.timings["total"] ?? 0
    let result = result(of: trial, record)
    if let act = trial.act {
      // On the way only what is asked for tells anything new: it may come after the trial that found the way has ended.
      let asked = result.events.dropLast(result.news.count).filter { $0.source == .network }
      journeys[trial.number] = Journey(action: act.label, events: asked + result.news)
    }
    return crawler.handleResult(result).map { trial in
      defer { next += 1 }
      return render(trial, id: next)
    }
  }

  /// Writes and returns the results; nil if the creative couldn't be rendered at all.
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

  /// Output folders of the trials, in their order.
  var outputs: [String] { (0...latestTrial).map(output) }

  /// Returns the output folder of a trial.
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
    if trial.plays { prepareForGame(&render) }
    return render
  }

  /// Factor by which the time limit of a game's render is longer than that of an ordinary render.
  private static let gameTime = 4.0

  /// Gives a game more of the machine's time, and draws it at scale 1: software draws thousands of its frames.
  private func prepareForGame(_ render: inout RenderJob) {
    render.device.scale = 1
    render.limits.timeout = min(job.limits.timeout * Self.gameTime, Limits.timeouts.upperBound)
  }

  private func result(of trial: Trial, _ record: RenderRecord) -> TrialResult {
    let folder = ResultFolder(output(of: trial.number))
    return TrialResult(
      trial: trial, record: record, events: folder.log.events(), observations: folder.readObservations())
  }
}

/// Results of exploring one creative.
package struct ExploredCreative: Sendable {
  package let found: Exploration
  package let document: ExplorationDocument
  /// Events of each attempted action, in the order of the trials.
  package let journeys: [Journey]
  /// Indicates if a trial failed by Galley's fault.
  package let engineFailed: Bool
}

/// Files that an exploration writes to the creative's folder and removes from it.
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
      throw .writing(folder.path, error)
    }
  }

  /// Removes the files that only the exploration needed; files that can't be removed do no harm.
  func clear() {
    for path in [folder.trials, folder.observations] { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Copies a trial's screenshot and that of the ad alone, which may not exist.
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

  /// Returns the comment with the command for playing the scenario.
  ///
  /// The scenario names the placement; the device is the caller's.
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
  /// Maximum number of files read.
  ///
  /// `largest` is the maximum number of bytes read from each, not counting embedded data.
  private static let mostFiles = 50
  private static let largest = 2_000_000

  /// Reads the methods named by the document and by the documents and scripts it refers to; nil for a URL.
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
