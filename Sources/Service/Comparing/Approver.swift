internal import Application
internal import Comparison
internal import Core
internal import Device
internal import Foundation
internal import Pixels
internal import RenderModel
internal import Scheduling

/// Makes renders baselines, one at a time, since two at once could overwrite each other.
///
/// The manifest that was the baseline before is kept as a file of the store, by its hash, so that it can be restored.
actor Approver {
  /// Hashes of a baseline's manifest before and after; nil for none.
  struct Change: Hashable, Sendable {
    let before: String?
    let after: String?
  }

  private let data: DataFolder
  /// Fingerprint of this machine, measured on first use because it reads every font.
  private lazy var machine = MachineFingerprint()
  private nonisolated var store: BaselineStore { BaselineStore(data.baselines) }

  init(_ data: DataFolder) { self.data = data }

  /// Measures the machine's fingerprint in advance if there already are baselines to compare with.
  func measure() {
    if store.exists { _ = machine }
  }

  /// The content of a render, the fingerprint of the machine and browser that drew it, and its options.
  func sight(
    _ row: RenderRow
  ) throws(Fault) -> (render: BaselineRender, drawn: Fingerprint, options: RenderOptions) {
    let (job, record) = try result(row)
    guard let drawn = machine.of(record, job) else { throw Self.nothing(row) }
    return (try BaselineRender(single: record, of: job.creative, folder: job.output), drawn, job.options)
  }

  /// The content of a render, for comparison with a baseline.
  func shown(_ row: RenderRow) throws(Fault) -> BaselineRender {
    let (job, record) = try result(row)
    return try BaselineRender(single: record, of: job.creative, folder: job.output)
  }

  /// The fingerprint of the machine and browser that drew a render.
  func drawn(_ row: RenderRow) throws(Fault) -> Fingerprint {
    let (job, record) = try result(row)
    guard let drawn = machine.of(record, job) else { throw Self.nothing(row) }
    return drawn
  }

  /// Compares a finished render with the baseline of a key; the document is that of `galley baseline verify`.
  func verify(_ row: RenderRow, against key: BaselineKey, isAcross: Bool) async throws(Fault) -> BaselineRunDocument {
    let (job, record) = try result(row)
    let comparer = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget())
    var work = VerificationState(job: job, place: place(key), isAcross: isAcross, isSingle: true)
    let machine = machine
    await work.addSample(record, folder: job.output, machine, comparer)
    let outcome = try await work.outcome(row.name, comparer)
    if let problem = outcome.problem, problem.code != LostAnswers.code { throw problem }
    // Nothing ends by it: the verdict says it all.
    return BaselineRunDocument(command: "verify", outcomes: [outcome], exitCode: 0, tellsStore: false)
  }

  private func place(_ key: BaselineKey) -> BaselineLocation {
    BaselineLocation(store: store, key: key, source: key.creative)
  }

  /// The job of a render and its record.
  ///
  /// - Throws: `result-missing` if the render left no result.
  private func result(_ row: RenderRow) throws(Fault) -> (job: RenderJob, record: RenderRecord) {
    guard let record = try? data.result(of: row).record(),
      var job = try? RenderWork(row, folder: data.render(row.id), reach: .none).job
    else { throw Self.nothing(row) }
    // What an older version rendered was shown on the default device, whatever its size.
    if job.device.name != record.device.name,
      let shown = DeviceCatalogue.standard.device(named: record.device.name)
    {
      job.device = shown
    }
    return (job, record)
  }

  private static func nothing(_ row: RenderRow) -> Fault {
    .request(.resultMissing, "render '\(row.id)' has no result to compare")
  }

  /// Approves parts of a render by their names, nil for all. A user decided it, so one render is enough.
  ///
  /// With `asVariants`, changed screenshots are kept beside those of the baseline.
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
        .partUnknown, "render '\(row.id)' has no part '\(unknown)'; its parts are \(parted.joined(separator: ", "))")
    }
    let writer = CandidateWriter(
      folder: data.render(row.id).result(row.name), place: place, baseline: baseline, renders: [render],
      fingerprint: drawn, options: options, drawsDifferences: false)
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

  /// Makes the manifest with a hash the baseline again; nil removes the baseline.
  func restore(_ key: BaselineKey, to hash: String?) async throws(Fault) -> Change {
    let before = try keep(key)
    if let hash {
      try await data.shelf?.bring(manifest: hash)
      guard let manifest = manifest(hash) else {
        throw .request("baseline-broken", "the previous version of the baseline can't be read")
      }
      try store.write(manifest, key)
    } else if before != nil {
      try store.remove(key)
    }
    try await data.shelf?.publish(key)
    return Change(before: before, after: hash)
  }

  /// The hash of the current manifest; nil if there is no baseline.
  func current(_ key: BaselineKey) throws(Fault) -> String? {
    guard let manifest = try store.manifest(key) else { return nil }
    return Document.hash(ofJSON: manifest)
  }

  /// Keeps the current manifest as a file of the store and returns its hash; nil if there is no baseline.
  private func keep(_ key: BaselineKey) throws(Fault) -> String? {
    guard let manifest = try store.manifest(key) else { return nil }
    return try store.keep(Document.bytes(manifest), as: "json")
  }

  /// An earlier manifest by its hash; nil if it can't be read any more.
  nonisolated func manifest(_ hash: String) -> BaselineManifest? {
    try? JSONDecoder().decode(BaselineManifest.self, from: Data(store.object("\(hash).json")))
  }
}
