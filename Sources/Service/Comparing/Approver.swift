internal import Application
internal import Comparison
internal import Core
internal import Foundation
internal import Pixels
internal import RenderModel

/// Makes renders baselines, one after the other, since two at once could lose one of them.
///
/// What was the baseline before is kept as a file of the store, by its hash, so that there is a way back.
actor Approver {
  /// Hashes of a baseline's manifest before and after; nil for none.
  struct Change: Hashable, Sendable {
    let before: String?
    let after: String?
  }

  private let data: DataFolder
  /// Measured when first needed: it reads every font.
  private lazy var machine = MachineFingerprint()
  private nonisolated var store: BaselineStore { BaselineStore(data.baselines) }

  init(_ data: DataFolder) { self.data = data }

  /// Measures what draws, where there already are baselines to compare with.
  func measure() {
    if store.exists { _ = machine }
  }

  /// What a render shows, what drew it, and what it was asked for with.
  func sight(
    _ row: RenderRow
  ) throws(Fault) -> (render: BaselineRender, drawn: Fingerprint, options: RenderOptions) {
    let (job, record) = try result(row)
    guard let drawn = machine.of(record, job) else { throw Self.nothing(row) }
    return (try BaselineRender(record: record, folder: job.output), drawn, job.options)
  }

  /// What a render shows.
  func shown(_ row: RenderRow) throws(Fault) -> BaselineRender {
    let (job, record) = try result(row)
    return try BaselineRender(record: record, folder: job.output)
  }

  /// What drew a render.
  func drawn(_ row: RenderRow) throws(Fault) -> Fingerprint {
    let (job, record) = try result(row)
    guard let drawn = machine.of(record, job) else { throw Self.nothing(row) }
    return drawn
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
    BaselineLocation(store: store, key: key, source: key.creative)
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
  ///
  /// As variants, pictures that changed are kept beside those of the baseline.
  func approve(
    _ row: RenderRow, as key: BaselineKey, parts: Set<String>?, asVariants: Bool = false
  ) async throws(Fault) -> Change {
    var (render, drawn, options) = try sight(row)
    let place = place(key)
    let baseline = try RecordedBaseline(place)
    let before = try keep(key)
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
      fingerprint: drawn, options: options)
    let verdict: CreativeVerdict = baseline == nil ? .new : differences.isEmpty ? .changed : .refused
    let candidate = try await writer.write(judgements, verdict: verdict, differences: differences, comparer)
    var approval = Approval(candidate, folder: data.render(row.id).result(row.name))
    _ = asVariants ? try approval.approveVariants(parts) : try approval.approve(parts)
    let after = try keep(key)
    try await data.shelf?.publish(key)
    return Change(before: before, after: after)
  }

  /// Removes a baseline; its files stay.
  func remove(_ key: BaselineKey) async throws(Fault) -> Change {
    let before = try keep(key)
    try store.remove(key)
    try await data.shelf?.publish(key)
    return Change(before: before, after: nil)
  }

  /// Makes the manifest of a hash the baseline again; nil for none.
  func restore(_ key: BaselineKey, to hash: String?) async throws(Fault) -> Change {
    let before = try keep(key)
    if let hash {
      try await data.shelf?.bring(manifest: hash)
      guard let manifest = manifest(hash) else {
        throw .request("baseline-broken", "what the baseline was before can't be read any more")
      }
      try store.write(manifest, key)
    } else if before != nil {
      try store.remove(key)
    }
    try await data.shelf?.publish(key)
    return Change(before: before, after: hash)
  }

  /// The hash of what is recorded now; nil for nothing.
  func current(_ key: BaselineKey) throws(Fault) -> String? {
    guard let manifest = try store.manifest(key) else { return nil }
    return Document.hash(ofJSON: manifest)
  }

  /// Keeps what is recorded now for later, and returns its hash; nil for nothing.
  private func keep(_ key: BaselineKey) throws(Fault) -> String? {
    guard let manifest = try store.manifest(key) else { return nil }
    return try store.keep(Document.bytes(manifest), as: "json")
  }

  /// What was recorded once, by its hash; nil where it can't be read any more.
  nonisolated func manifest(_ hash: String) -> BaselineManifest? {
    try? JSONDecoder().decode(BaselineManifest.self, from: Data(store.object("\(hash).json")))
  }
}
