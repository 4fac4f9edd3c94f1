internal import Baselines
internal import Comparison
internal import Jobs
internal import Planning
internal import Workers

/// One creative on its way to a judgement: its baseline, and the renders so far.
struct BaselineWork: Sendable {
  private let job: RenderJob
  let place: BaselinePlace
  /// Whether a baseline that something else drew is compared with all the same.
  private let isAcross: Bool
  private(set) var baseline: RecordedBaseline?
  private(set) var renders: [BaselineRender] = []
  private(set) var settlement = Settlement()
  private(set) var fingerprint: Fingerprint?
  private(set) var differences: [String] = []
  private var failure: RenderRecord?
  private var problem: Fault?

  init(job: RenderJob, place: BaselinePlace, isAcross: Bool) {
    (self.job, self.place, self.isAcross) = (job, place, isAcross)
    do throws(Fault) {
      baseline = try RecordedBaseline(place)
    } catch {
      problem = error
    }
  }

  /// Whether it can't be judged yet.
  var needsAnother: Bool { problem == nil && failure == nil && !settlement.isSettled }

  /// Whether what the renders show is compared with the baseline.
  private var comparesBaseline: Bool { baseline != nil && (differences.isEmpty || isAcross) }

  /// Takes in a render, and compares it with the baseline and with those before it.
  mutating func take(
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
      settlement.take(Sighting(pictures: render.pictures, baseline: against, earlier: earlier))
      renders.append(render)
      renders[renders.count - 1].against = against
    } catch {
      problem = error
    }
  }

  private mutating func begin(_ drawn: Fingerprint) throws(Fault) {
    fingerprint = drawn
    differences = baseline?.fingerprint.differences(drawn) ?? []
    if comparesBaseline { settlement = Settlement(tolerated: baseline?.flaky ?? []) }
  }

  /// What is said in the end; leaves it beside the results, to be approved.
  func outcome(_ name: String, _ comparer: ResultComparer) async throws(Fault) -> BaselineOutcome {
    if let problem { return BaselineOutcome(name: name, problem: problem) }
    guard let fingerprint, failure == nil else { return BaselineOutcome(name: name, failure: failure) }
    let writer = CandidateWriter(
      folder: job.output, place: place, baseline: baseline, renders: renders, fingerprint: fingerprint)
    let verdict: CreativeVerdict =
      baseline == nil ? .new : comparesBaseline ? CreativeVerdict(settlement.judgements) : .refused
    do throws(Fault) {
      let candidate = try await writer.write(
        settlement.judgements, verdict: verdict, differences: differences, comparer)
      return BaselineOutcome(
        name: name, folder: job.output, candidate: candidate,
        comparison: comparison(name, folder: job.output, candidate))
    } catch {
      return BaselineOutcome(name: name, problem: error)
    }
  }
}
