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
    let paths = ResultPaths(row, data)
    guard let bytes = FileContents.read(paths.file("result.json")),
      let record = try? JSONDecoder().decode(RenderRecord.self, from: Data(bytes)),
      let job = try? RenderWork(row, folder: data.render(row.id), reach: .none).job, let drawn = machine.of(record, job)
    else { throw .request("no-result", "render '\(row.id)' left nothing to compare") }
    return (try BaselineRender(record: record, folder: paths.result), drawn)
  }

  /// Approves parts of a render by their names, nil for all; a person said so, so that one render is enough.
  func approve(_ row: RenderRow, as key: BaselineKey, parts: Set<String>?) async throws(Fault) {
    var (render, drawn) = try sight(row)
    let place = BaselinePlace(store: BaselineStore(data.baselines), key: key, source: key.creative)
    let baseline = try RecordedBaseline(place)
    let comparer = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget())
    let differences = baseline?.fingerprint.differences(drawn) ?? []
    render.against = differences.isEmpty ? try await baseline?.compare(render, comparer) : nil
    let names = render.pictures + [PartName.events, PartName.states]
    let judgements = Self.judgements(names, render.against, isFirst: baseline == nil)
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

  /// What is said of each part of the one render; parts that only the baseline has are missing.
  private static func judgements(_ names: [String], _ against: ResultVerdict?, isFirst: Bool) -> [Judgement] {
    let pictures = Dictionary(
      (against?.pictures ?? []).map { (PartName.picture($0.name), $0.verdict) }, uniquingKeysWith: { $1 })
    let missing = pictures.filter { $0.value == .missing }.keys.sorted()
    return names.map { name in
      let isSame =
        switch name {
        case PartName.events: against?.events?.findings.isEmpty ?? false
        case PartName.states: against?.record.isEmpty ?? false
        default: pictures[name] == .same
        }
      let isNew = isFirst || against == nil || PartName.isPicture(name) && (pictures[name] ?? .new) == .new
      return Judgement(name: name, verdict: isSame ? .unchanged : isNew ? .new : .changed, render: 0)
    } + missing.map { Judgement(name: $0, verdict: .missing, render: nil) }
  }
}
