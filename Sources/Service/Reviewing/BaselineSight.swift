internal import Application
internal import Comparison
internal import Core
internal import Foundation
internal import Pixels
internal import RenderModel

/// The comparison of a render with the baseline of its key.
struct BaselineSight: Hashable, Sendable {
  let key: BaselineKey
  let comparison: CreativeVerdict
  /// The hash of the manifest it was compared with; nil when there was none.
  let against: String?
  let facts: ReviewFacts

  private init(_ key: BaselineKey, _ comparison: CreativeVerdict, against: String? = nil, facts: ReviewFacts) {
    (self.key, self.comparison, self.against, self.facts) = (key, comparison, against, facts)
  }

  /// The result for a baseline that can't be used.
  init(_ key: BaselineKey, broken problem: Fault) {
    self.init(key, .failed, facts: ReviewFacts(differences: [problem.message]))
  }

  /// The result for a render with these parts if there is no baseline.
  init(_ key: BaselineKey, showing parts: [String]) {
    self.init(key, .new, facts: ReviewFacts(parts: parts.map { ReviewFacts.Part(name: $0, verdict: .new) }))
  }

  /// Compares a render that left a result, and writes pictures of the differences beside the result.
  static func of(_ row: RenderRow, _ data: DataFolder, _ approver: Approver) async throws(Fault) -> BaselineSight {
    let key = BaselineVariant.key(row)
    let store = BaselineStore(data.baselines)
    var render = try await approver.shown(row)
    let recorded: RecordedBaseline?
    do throws(Fault) {
      recorded = try RecordedBaseline(BaselineLocation(store: store, key: key, source: key.creative))
    } catch {
      return BaselineSight(key, broken: error)
    }
    guard let recorded else { return BaselineSight(key, showing: render.partNames) }
    let against = Document.hash(ofJSON: recorded.manifest)
    let differences = recorded.fingerprint.differences(try await approver.drawn(row))
    guard differences.isEmpty else {
      return BaselineSight(key, .refused, against: against, facts: ReviewFacts(differences: differences))
    }
    let pictures = HighlightFolder(result: data.result(of: row).path, against: against)
    do throws(Fault) {
      if let refusal = try recorded.refusal(of: render) {
        return BaselineSight(key, .failed, against: against, facts: ReviewFacts(differences: [refusal.message]))
      }
      render.against = try await recorded.compare(render, pictures.comparer)
    } catch {
      return BaselineSight(key, broken: error)
    }
    let judgements = PartVerdict.all(of: render, isFirst: false, tolerated: recorded.flaky)
    try pictures.keep(in: BlobStore(data.blobs))
    return BaselineSight(
      key, CreativeVerdict(judgements), against: against,
      facts: facts(judgements, render.against, recorded, pictures))
  }

  /// Maximum number of findings that are kept of an event log.
  private static let mostFindings = 100

  private static func facts(
    _ judgements: [PartVerdict], _ verdict: ResultVerdict?, _ recorded: RecordedBaseline, _ pictures: HighlightFolder
  ) -> ReviewFacts {
    let compared = Dictionary(
      (verdict?.pictures ?? []).map { (PartName.screenshot($0.name), $0) }, uniquingKeysWith: { $1 })
    let parts = judgements.map { judgement in
      let screenshot = compared[judgement.name]
      return ReviewFacts.Part(
        name: judgement.name, verdict: judgement.verdict,
        baseline: screenshot.flatMap { recorded.screenshot(comparedIn: $0) }?.sha256,
        highlight: screenshot?.written["highlight"].map(pictures.name),
        differing: screenshot?.difference?.differingCount)
    }
    let findings = (verdict?.events?.findings ?? []).map(\.text)
    let changes = (verdict?.record ?? []).map { "\($0.member): \($0.first) → \($0.second)" }
    return ReviewFacts(
      parts: parts, findings: changes + findings.prefix(mostFindings), findingCount: changes.count + findings.count,
      files: verdict?.files.flatMap { $0.changes.isEmpty ? nil : FileChange.first(mostFindings, of: $0.changes) },
      filesCompared: verdict.map { $0.files != nil })
  }
}

/// Folder in a result for the pictures of differences from one baseline; each baseline has its own.
private struct HighlightFolder: Sendable {
  private let result: String
  private let folder: String

  init(result: String, against: String) {
    self.result = result
    folder = "\(ResultFolder(result).differences)/\(against.prefix(Self.length))"
  }

  /// Number of a hash's characters in a folder's name.
  private static let length = 12

  var comparer: ResultComparer {
    let pictures = DiffImages(folder: folder, isBrief: true)
    return ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget()) { (screenshot, _) throws(Fault) in
      try pictures.write(&screenshot, below: "")
    }
  }

  /// The path of a picture within the result.
  func name(_ path: String) -> String { path.hasPrefix(result + "/") ? String(path.dropFirst(result.count + 1)) : path }

  /// Adds the pictures to the store of contents, and removes those from comparisons with earlier baselines.
  ///
  /// If nothing differs any more, earlier pictures stay, so that the review of an approved render still shows the
  /// differences.
  func keep(in blobs: BlobStore) throws(Fault) {
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let all = ResultFolder(result).differences
    for name in (try? FileManager.default.contentsOfDirectory(atPath: all)) ?? [] {
      let isHash = name.count == Self.length && name.allSatisfy(\.isHexDigit)
      if isHash, !folder.hasSuffix("/" + name) { try? FileManager.default.removeItem(atPath: "\(all)/\(name)") }
    }
    try blobs.adopt(below: folder)
  }
}
