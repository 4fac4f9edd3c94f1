internal import Application
internal import Comparison
internal import Core
internal import Foundation
internal import Pixels
internal import RenderModel

/// Makes renders baselines, one after the other, since two at once could lose one of them.
actor Approver {
  private let data: DataFolder
  /// Measured when first needed: it reads every font.
  private lazy var machine = MachineFingerprint()

  init(_ data: DataFolder) { self.data = data }

  /// What a render shows, and what drew it.
  func sight(_ row: RenderRow) throws(Fault) -> (render: BaselineRender, drawn: Fingerprint) {
    let (job, record) = try result(row)
    guard let drawn = machine.of(record, job) else { throw Self.nothing(row) }
    return (try BaselineRender(record: record, folder: job.output), drawn)
  }

  /// How a finished render compares with the baseline of a key, as `galley baseline verify` tells it.
  func verify(_ row: RenderRow, against key: BaselineKey, isAcross: Bool) async throws(Fault) -> BaselineRunDocument {
    let (job, record) = try result(row)
    let comparer = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget())
    var work = VerificationState(job: job, place: place(key), isAcross: isAcross, isSingle: true)
    let machine = machine
    await work.addSample(record, folder: job.output, machine, comparer)
    let outcome = try await work.outcome(row.name, comparer)
    if let problem = outcome.problem { throw problem }
    // Nothing ends by it: the verdict says it all.
    return BaselineRunDocument(command: "verify", outcomes: [outcome], exitCode: 0, tellsStore: false)
  }

  private func place(_ key: BaselineKey) -> BaselineLocation {
    BaselineLocation(store: BaselineStore(data.baselines), key: key, source: key.creative)
  }

  /// The job of a render, and the record it left.
  private func result(_ row: RenderRow) throws(Fault) -> (job: RenderJob, record: RenderRecord) {
    guard let record = try? data.result(of: row).record(),
      let job = try? RenderWork(row, folder: data.render(row.id), reach: .none).job
    else { throw Self.nothing(row) }
    return (job, record)
  }

  private static func nothing(_ row: RenderRow) -> Fault {
    .request("result-missing", "render '\(row.id)' left nothing to compare")
  }

  /// Approves parts of a render by their names, nil for all; a person said so, so that one render is enough.
  func approve(_ row: RenderRow, as key: BaselineKey, parts: Set<String>?) async throws(Fault) {
    var (render, drawn) = try sight(row)
    let place = place(key)
    let baseline = try RecordedBaseline(place)
    let comparer = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget())
    let differences = baseline?.fingerprint.differences(drawn) ?? []
    render.against = differences.isEmpty ? try await baseline?.compare(render, comparer) : nil
    let judgements = PartVerdict.all(of: render, isFirst: baseline == nil)
    let parted = judgements.map(\.name)
    if let unknown = parts?.first(where: { !parted.contains($0) }) {
      throw .request(
        "part-unknown", "render '\(row.id)' has no part '\(unknown)'; there are \(parted.joined(separator: ", "))")
    }
    let writer = CandidateWriter(
      folder: data.render(row.id).result(row.name), place: place, baseline: baseline, renders: [render],
      fingerprint: drawn)
    let verdict: CreativeVerdict = baseline == nil ? .new : differences.isEmpty ? .changed : .refused
    let candidate = try await writer.write(judgements, verdict: verdict, differences: differences, comparer)
    var approval = Approval(candidate, folder: data.render(row.id).result(row.name))
    _ = try approval.approve(parts)
  }
}
