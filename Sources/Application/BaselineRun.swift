package import Comparison
package import Core
package import RenderModel
package import Workers

/// Renders creatives and judges them by their baselines; creatives that can't be judged yet are rendered again.
package struct BaselineRun: Sendable {
  private let plan: BatchPlan
  /// Locations of the baselines by the job's id.
  private let places: [Int: BaselineLocation]
  private let machine: MachineFingerprint
  private let settings: PoolSettings
  private let comparer: ResultComparer
  /// Maximum number of renders of one creative.
  private let renders: Int
  /// Indicates if pictures are compared even with a baseline of another fingerprint.
  private let isAcross: Bool
  /// Indicates if parts must agree even if the baseline marks them as flaky.
  private let isAnew: Bool

  package init(
    plan: BatchPlan, places: [Int: BaselineLocation], machine: MachineFingerprint, settings: PoolSettings,
    comparer: ResultComparer, renders: Int, isAcross: Bool, isAnew: Bool = false
  ) {
    (self.plan, self.places, self.machine, self.settings) = (plan, places, machine, settings)
    (self.comparer, self.renders, self.isAcross, self.isAnew) = (comparer, renders, isAcross, isAnew)
  }

  /// Renders and judges all creatives; nil if a signal ended the run. `onProgress` is called for each round of renders.
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
  /// Same settings for another pool, with a new run identifier, as each is used once.
  fileprivate var again: PoolSettings {
    var other = self
    other.run = RunIdentifier()
    return other
  }
}

/// State of one creative's verification: its baseline, and the renders so far.
package struct VerificationState: Sendable {
  private let job: RenderJob
  private let place: BaselineLocation
  /// Indicates if the creative is compared even with a baseline of another fingerprint.
  private let isAcross: Bool
  /// Indicates if a single render is enough, as for one on request that isn't repeated.
  private let isSingle: Bool
  /// Indicates if the baseline is recorded anew.
  ///
  /// Parts that it marks as flaky must then agree, and requests without an answer count as they are.
  private let isAnew: Bool
  private var baseline: RecordedBaseline?
  private var renders: [BaselineRender] = []
  private var vote = StabilityVote()
  private var fingerprint: Fingerprint?
  private var differences: [String] = []
  private var failure: RenderRecord?
  private var problem: Fault?
  /// Reason why a render wasn't compared; reported if no other render was.
  private var unanswered: Fault?

  package init(job: RenderJob, place: BaselineLocation, isAcross: Bool, isSingle: Bool = false, isAnew: Bool = false) {
    (self.job, self.place, self.isAcross, self.isSingle, self.isAnew) = (job, place, isAcross, isSingle, isAnew)
    do throws(Fault) {
      baseline = try RecordedBaseline(place)
    } catch {
      problem = error
    }
  }

  /// Indicates if another render is needed for a verdict.
  package var needsAnother: Bool {
    problem == nil && failure == nil && (!vote.isSettled || needsAnotherDocument) && !(isSingle && !renders.isEmpty)
  }

  /// Indicates if a file at a URL differs from the baseline's.
  ///
  /// A second render then shows if the server sends another file each time.
  private var needsAnotherDocument: Bool {
    job.creative.path == nil && renders.count == 1 && renders[0].against?.files?.changes.isEmpty == false
  }

  /// Renders that count, without the files that a server sends differently each time.
  ///
  /// If the document is one of them, no files count.
  private var judged: [BaselineRender] {
    let first = renders.first?.files
    let unsteady = renders.dropFirst().flatMap { FileComparison(first, $0.files)?.changes.map(\.path) ?? [] }
    return unsteady.isEmpty ? renders : renders.map { $0.without(files: Set(unsteady)) }
  }

  /// Verdicts on the parts.
  private var judgements: [PartVerdict] {
    guard isSingle, let render = renders.first else {
      // Files are what they are: nothing of them is to be voted about.
      let files = judged.first.flatMap { PartVerdict.files(of: $0, isFirst: baseline == nil) }
      return vote.judgements + [files].compactMap(\.self)
    }
    return PartVerdict.all(of: render, isFirst: baseline == nil, tolerated: tolerated)
  }

  private var tolerated: Set<String> { isAnew ? [] : baseline?.flaky ?? [] }

  /// Indicates if the renders are compared with the baseline.
  private var comparesBaseline: Bool { baseline != nil && (differences.isEmpty || isAcross) }

  /// Adds a render and compares it with the baseline and with earlier renders.
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
      if comparesBaseline, !isAnew, let refusal = try baseline?.refusal(of: render) {
        unanswered = refusal
        // Another render has no network either, where the call allows none.
        if refusal.origin == .request { problem = refusal }
        return
      }
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

  /// Returns the final outcome, and writes the candidate beside the results so that it can be approved.
  package func outcome(_ name: String, _ comparer: ResultComparer) async throws(Fault) -> BaselineOutcome {
    var outcome = try await concluded(name, comparer)
    outcome.key = place.key
    return outcome
  }

  private func concluded(_ name: String, _ comparer: ResultComparer) async throws(Fault) -> BaselineOutcome {
    if let problem { return BaselineOutcome(name: name, problem: problem) }
    if renders.isEmpty, failure == nil, let unanswered { return BaselineOutcome(name: name, problem: unanswered) }
    guard let fingerprint, failure == nil else { return BaselineOutcome(name: name, failure: failure) }
    let judgements = judgements
    let writer = CandidateWriter(
      folder: job.output, place: place, baseline: baseline, renders: judged, fingerprint: fingerprint,
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

  /// Returns the comparison for the page: for each part to review, its judged render beside the baseline.
  private func comparison(_ name: String, folder: String, _ candidate: Candidate) -> ResultVerdict {
    var result = ResultVerdict(name: name, onlyOn: candidate.verdict == .new ? .new : nil)
    if candidate.verdict == .refused {
      result.problems = ["the baseline was drawn in another environment"] + (candidate.differences ?? [])
      return result
    }
    for (judgement, part) in zip(judgements, candidate.parts)
    where judgement.verdict != .unchanged && !judgement.isTolerated {
      let render = renders[judgement.render ?? renders.count - 1]
      switch judgement.name {
      case PartName.events: result.events = render.against?.events
      case PartName.states: result.record = render.against?.record ?? []
      case PartName.files: result.files = render.against?.files
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

extension BaselineRender {
  /// Names of the parts that the render shows, as its review lists them if there is no baseline.
  package var partNames: [String] { PartVerdict.all(of: self, isFirst: true).map(\.name) }
}

extension PartVerdict {
  /// Returns the verdicts on the parts of a single judged render; parts that only the baseline has are missing.
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
      + [files(of: render, isFirst: isFirst)].compactMap(\.self)
  }

  /// Returns the verdict on the creative's files; nil if they can't be compared.
  fileprivate static func files(of render: BaselineRender, isFirst: Bool) -> PartVerdict? {
    guard render.files != nil else { return nil }
    guard !isFirst, let against = render.against else {
      return PartVerdict(name: PartName.files, verdict: .new, render: 0)
    }
    return against.files.map { files in
      PartVerdict(name: PartName.files, verdict: files.changes.isEmpty ? .unchanged : .changed, render: 0)
    }
  }
}

/// Outcome of a baseline run for one creative.
package struct BaselineOutcome: Sendable {
  /// Change to the baseline.
  package enum Action: String, Sendable, Encodable {
    case recorded
    /// Another baseline existed, and stays.
    case kept
  }

  /// Name of the result folder.
  package let name: String
  /// Key of the baseline; nil for an argument that is no creative.
  package var key: BaselineKey?
  /// Path of the results; nil if there are none to judge.
  package var folder: String?
  /// Verification to approve; nil if the creative couldn't be judged.
  package var candidate: Candidate?
  /// Record of the render that didn't complete.
  package var failure: RenderRecord?
  /// Reason why the baseline can't be used.
  package var problem: Fault?
  package var action: Action?
  /// Comparison as shown on the page.
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

  /// Name of the creative in outputs, the same in all commands: that of its baseline.
  package var title: String { key?.text ?? name }
}
