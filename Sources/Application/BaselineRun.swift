package import Comparison
package import Core
package import RenderModel
package import Workers

/// Renders creatives and judges them by their baselines, those that aren't settled again.
package struct BaselineRun: Sendable {
  private let plan: BatchPlan
  /// By the job's id.
  private let places: [Int: BaselineLocation]
  private let machine: MachineFingerprint
  private let settings: PoolSettings
  private let comparer: ResultComparer
  /// Renders of one creative, at most.
  private let renders: Int
  /// Whether pictures are compared though something else drew the baseline.
  private let isAcross: Bool
  /// Whether what a baseline says is flaky has to agree all the same.
  private let isAnew: Bool

  package init(
    plan: BatchPlan, places: [Int: BaselineLocation], machine: MachineFingerprint, settings: PoolSettings,
    comparer: ResultComparer, renders: Int, isAcross: Bool, isAnew: Bool = false
  ) {
    (self.plan, self.places, self.machine, self.settings) = (plan, places, machine, settings)
    (self.comparer, self.renders, self.isAcross, self.isAnew) = (comparer, renders, isAcross, isAnew)
  }

  /// Nil when a signal ended it; `onProgress` hears of each round of renders.
  package func run(onProgress: (PoolProgress) -> Void) async throws(Fault) -> [BaselineOutcome]? {
    var works: [Int: VerificationState] = [:]
    for job in plan.jobs {
      guard let place = places[job.id] else { continue }
      works[job.id] = VerificationState(job: job, place: place, isAcross: isAcross, isAnew: isAnew)
    }
    var waiting = plan.jobs
    for render in 0..<renders where !waiting.isEmpty {
      let jobs = try waiting.map { job throws(Fault) in try Self.job(job, render: render) }
      let (records, interrupted) = await PoolRun(settings: settings.again).render(jobs, progress: onProgress)
      guard !interrupted else { return nil }
      var unsettled: [RenderJob] = []
      for job in waiting {
        guard let record = records[job.id] else { continue }
        await works[job.id]?.addSample(record, folder: Self.folder(job, render: render), machine, comparer)
        if works[job.id]?.needsAnother == true { unsettled.append(job) }
      }
      waiting = unsettled
    }
    var outcomes: [BaselineOutcome] = []
    for item in plan.items { outcomes.append(try await outcome(item, works)) }
    return outcomes
  }

  private func outcome(_ item: BatchPlan.Item, _ works: [Int: VerificationState]) async throws(Fault) -> BaselineOutcome
  {
    switch item.work {
    case .refused(let record): return BaselineOutcome(name: item.name, failure: record)
    case .render(let job):
      guard let work = works[job.id] else { return BaselineOutcome(name: item.name, failure: nil) }
      return try await work.outcome(item.name, comparer)
    }
  }

  private static func folder(_ job: RenderJob, render: Int) -> String {
    render == 0 ? job.output : "\(ResultFolder(job.output).retries)/\(render + 1)"
  }

  private static func job(_ job: RenderJob, render: Int) throws(Fault) -> RenderJob {
    var other = job
    other.output = folder(job, render: render)
    if render > 0 { try ResultFolder(other.output).prepare() }
    return other
  }
}

extension PoolSettings {
  /// The same for another pool: a run's mark is used once.
  fileprivate var again: PoolSettings {
    var other = self
    other.run = RunIdentifier()
    return other
  }
}

/// One creative on its way to a judgement: its baseline, and the renders so far.
package struct VerificationState: Sendable {
  private let job: RenderJob
  private let place: BaselineLocation
  /// Whether a baseline that something else drew is compared with all the same.
  private let isAcross: Bool
  /// Whether one render is enough, as for a render that somebody asks about and nobody repeats.
  private let isSingle: Bool
  /// Whether what the baseline says is flaky has to agree all the same.
  private let isAnew: Bool
  private var baseline: RecordedBaseline?
  private var renders: [BaselineRender] = []
  private var vote = StabilityVote()
  private var fingerprint: Fingerprint?
  private var differences: [String] = []
  private var failure: RenderRecord?
  private var problem: Fault?

  package init(job: RenderJob, place: BaselineLocation, isAcross: Bool, isSingle: Bool = false, isAnew: Bool = false) {
    (self.job, self.place, self.isAcross, self.isSingle, self.isAnew) = (job, place, isAcross, isSingle, isAnew)
    do throws(Fault) {
      baseline = try RecordedBaseline(place)
    } catch {
      problem = error
    }
  }

  /// Whether it can't be judged yet.
  package var needsAnother: Bool {
    problem == nil && failure == nil && !vote.isSettled && !(isSingle && !renders.isEmpty)
  }

  /// What is said of each part.
  private var judgements: [PartVerdict] {
    guard isSingle, let render = renders.first else { return vote.judgements }
    return PartVerdict.all(of: render, isFirst: baseline == nil, tolerated: tolerated)
  }

  private var tolerated: Set<String> { isAnew ? [] : baseline?.flaky ?? [] }

  /// Whether what the renders show is compared with the baseline.
  private var comparesBaseline: Bool { baseline != nil && (differences.isEmpty || isAcross) }

  /// Takes in a render, and compares it with the baseline and with those before it.
  package mutating func addSample(
    _ record: RenderRecord, folder: String, _ machine: MachineFingerprint, _ comparer: ResultComparer
  ) async {
    guard problem == nil else { return }
    guard record.outcome == .completed, let drawn = machine.of(record, job) else {
      // A creative that completed once is judged by those renders that do.
      if renders.isEmpty { failure = record }
      return
    }
    do throws(Fault) {
      if renders.isEmpty { try begin(drawn) }
      let render = try BaselineRender(record: record, folder: folder)
      var earlier: [ResultVerdict] = []
      for other in renders { earlier.append(try await comparer.compare([other.listing], [render.listing])[0]) }
      let against = comparesBaseline ? try await baseline?.compare(render, comparer) : nil
      vote.addSample(PartSample(pictures: render.pictures, baseline: against, earlier: earlier))
      renders.append(render)
      renders[renders.count - 1].against = against
    } catch {
      problem = error
    }
  }

  private mutating func begin(_ drawn: Fingerprint) throws(Fault) {
    fingerprint = drawn
    differences = baseline?.fingerprint.differences(drawn) ?? []
    if comparesBaseline { vote = StabilityVote(tolerated: tolerated) }
  }

  /// What is said in the end; leaves it beside the results, to be approved.
  package func outcome(_ name: String, _ comparer: ResultComparer) async throws(Fault) -> BaselineOutcome {
    if let problem { return BaselineOutcome(name: name, problem: problem) }
    guard let fingerprint, failure == nil else { return BaselineOutcome(name: name, failure: failure) }
    let judgements = judgements
    let writer = CandidateWriter(
      folder: job.output, place: place, baseline: baseline, renders: renders, fingerprint: fingerprint,
      options: job.options)
    let verdict: CreativeVerdict =
      baseline == nil ? .new : comparesBaseline ? CreativeVerdict(judgements) : .refused
    do throws(Fault) {
      let candidate = try await writer.write(
        judgements, verdict: verdict, differences: differences, comparer)
      return BaselineOutcome(
        name: name, folder: job.output, candidate: candidate,
        comparison: comparison(name, folder: job.output, candidate))
    } catch {
      return BaselineOutcome(name: name, problem: error)
    }
  }

  /// What there is to look at: of each part that needs a look, the render that is believed beside the baseline.
  private func comparison(_ name: String, folder: String, _ candidate: Candidate) -> ResultVerdict {
    var result = ResultVerdict(name: name, onlyOn: candidate.verdict == .new ? .new : nil)
    if candidate.verdict == .refused {
      result.problems = ["the baseline was drawn by something else"] + (candidate.differences ?? [])
      return result
    }
    for (judgement, part) in zip(judgements, candidate.parts)
    where judgement.verdict != .unchanged && !judgement.isTolerated {
      let render = renders[judgement.render ?? renders.count - 1]
      switch judgement.name {
      case PartName.events: result.events = render.against?.events
      case PartName.states: result.record = render.against?.record ?? []
      default: result.pictures.append(screenshot(part, of: render, folder: folder))
      }
    }
    return result
  }

  private func screenshot(_ part: Candidate.Part, of render: BaselineRender, folder: String) -> ScreenshotVerdict {
    let file = "\(part.name).png"
    guard var verdict = render.against?.pictures.first(where: { $0.name == file }) else {
      return ScreenshotVerdict(name: file, verdict: .new, first: nil, second: part.file.map { "\(folder)/\($0)" })
    }
    verdict.written = (part.written ?? [:]).mapValues { "\(folder)/\($0)" }
    return verdict
  }
}

extension PartVerdict {
  /// What is said of each part of one render that is believed; parts that only the baseline has are missing.
  package static func all(of render: BaselineRender, isFirst: Bool, tolerated: Set<String> = []) -> [PartVerdict] {
    let against = render.against
    let pictures = Dictionary(
      (against?.pictures ?? []).map { (PartName.screenshot($0.name), $0.verdict) }, uniquingKeysWith: { $1 })
    let missing = pictures.filter { $0.value == .missing }.keys.sorted()
    let present = (render.pictures + [PartName.events, PartName.states]).map { name in
      let isSame =
        switch name {
        case PartName.events: against?.events?.findings.isEmpty ?? false
        case PartName.states: against?.record.isEmpty ?? false
        default: pictures[name] == .same
        }
      let isNew = isFirst || against == nil || PartName.isPicture(name) && (pictures[name] ?? .new) == .new
      let isTolerated = !isSame && !isNew && tolerated.contains(name)
      return PartVerdict(
        name: name, verdict: isSame ? .unchanged : isNew ? .new : isTolerated ? .flaky : .changed, render: 0,
        isSteady: !isTolerated, isTolerated: isTolerated)
    }
    return present + missing.map { PartVerdict(name: $0, verdict: .missing, render: nil) }
  }
}

/// What a run found of one creative.
package struct BaselineOutcome: Sendable {
  /// What became of the baseline.
  package enum Action: String, Sendable, Encodable {
    case recorded
    /// There was another one, which stays.
    case kept
  }

  package let name: String
  /// Where the results are.
  package var folder: String?
  /// Nil when nothing could be said of it.
  package var candidate: Candidate?
  /// The render that didn't complete.
  package var failure: RenderRecord?
  /// Why its baseline can't be used.
  package var problem: Fault?
  package var action: Action?
  /// What a page shows of it.
  package let comparison: ResultVerdict

  package init(name: String, failure: RenderRecord?) {
    (self.name, self.failure) = (name, failure)
    comparison = Self.failed(name, failure?.message)
  }

  package init(name: String, folder: String, candidate: Candidate, comparison: ResultVerdict) {
    (self.name, self.folder, self.candidate, self.comparison) = (name, folder, candidate, comparison)
  }

  package init(name: String, problem: Fault) {
    (self.name, self.problem) = (name, problem)
    comparison = Self.failed(name, problem.message)
  }

  private static func failed(_ name: String, _ message: String?) -> ResultVerdict {
    var result = ResultVerdict(name: name)
    result.problems = [message ?? "it was not rendered"]
    return result
  }

  package var verdict: CreativeVerdict { candidate?.verdict ?? .failed }
}
