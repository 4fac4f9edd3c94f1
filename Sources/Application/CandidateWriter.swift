package import Comparison
package import Core
internal import FoundationEssentials
internal import Pixels
package import RenderModel

/// Makes the candidate for approval, with pictures of the changes, and writes it beside a creative's results.
package struct CandidateWriter {
  private let folder: String
  private let place: BaselineLocation
  private let baseline: RecordedBaseline?
  private let renders: [BaselineRender]
  private let fingerprint: Fingerprint
  /// Options of the renders.
  private let options: RenderOptions
  /// Indicates if diff pictures are drawn.
  private let drawsDifferences: Bool

  /// Makes the writer; `baseline` is nil if nothing was recorded, and `renders` are those that the judgements refer to.
  package init(
    folder: String, place: BaselineLocation, baseline: RecordedBaseline?, renders: [BaselineRender],
    fingerprint: Fingerprint, options: RenderOptions, drawsDifferences: Bool = true
  ) {
    (self.options, self.drawsDifferences) = (options, drawsDifferences)
    (self.folder, self.place, self.baseline) = (folder, place, baseline)
    (self.renders, self.fingerprint) = (renders, fingerprint)
  }

  package func write(
    _ judgements: [PartVerdict], verdict: CreativeVerdict, differences: [String], _ comparer: ResultComparer
  ) async throws(Fault) -> Candidate {
    var parts: [Candidate.Part] = []
    for judgement in judgements { parts.append(try await part(judgement, comparer)) }
    let believed = judgements.first { $0.name == PartName.states }?.render ?? renders.count - 1
    let findings = judgements.filter { $0.name == PartName.events && $0.verdict != .unchanged }.compactMap(\.render)
      .flatMap { renders[$0].against?.events?.findings ?? [] }.map(\.text)
    let candidate = Candidate(
      key: place.key, store: place.store.path, directory: AbsolutePath.resolved("."), source: place.source,
      verdict: verdict, renders: renders.count,
      against: baseline.map { Document.hash(ofJSON: $0.manifest) }, differences: differences, fingerprint: fingerprint,
      states: renders[believed].states, parts: parts, findings: findings,
      seed: options.seed, date: options.date, settings: options.settings, files: renders[0].files,
      fileChanges: renders[0].against?.files?.changes ?? [], filesCompared: baseline == nil ? nil : filesCompared)
    try write(candidate)
    return candidate
  }

  /// Indicates if both sides have lists of the creative's files; nil if nothing was compared.
  private var filesCompared: Bool? { renders[0].against.map { $0.files != nil } }

  private func part(_ judgement: PartVerdict, _ comparer: ResultComparer) async throws(Fault) -> Candidate.Part {
    guard let render = judgement.render.map({ renders[$0] }), judgement.name != PartName.states,
      judgement.name != PartName.files
    else {
      return Candidate.Part(judgement, file: nil, sha256: nil)
    }
    let file = "\(judgement.name).png"
    let path = judgement.name == PartName.events ? render.listing.events : render.listing.pictures[file]
    guard let path else { throw .engine("result-gone", "\(render.folder) lacks \(judgement.name)") }
    let compared = render.against?.pictures.first { $0.name == file }
    let recorded = compared.flatMap { baseline?.screenshot(comparedIn: $0) }
    let kept = judgement.verdict == .unchanged || judgement.isTolerated ? recorded : nil
    var part = Candidate.Part(judgement, file: relative(path), sha256: FileHash.of(path), kept: kept)
    if let recorded, recorded.name != judgement.name { part.replaces = recorded.name }
    if drawsDifferences, judgement.verdict == .changed || judgement.verdict == .flaky, let first = compared?.first {
      try await show(&part, file, first, path, comparer)
    }
    return part
  }

  /// Counts the differing pixels and draws the diff pictures.
  private func show(
    _ part: inout Candidate.Part, _ file: String, _ first: String, _ second: String, _ comparer: ResultComparer
  ) async throws(Fault) {
    let pictures = DiffImages(folder: ResultFolder(folder).differences)
    let drawing = ResultComparer(options: comparer.options, budget: comparer.budget) { (screenshot, _) throws(Fault) in
      try pictures.write(&screenshot, below: "")
    }
    let verdict = try await drawing.screenshot(file, first, second, of: "")
    part.differing = verdict.difference?.differingCount
    part.written = verdict.written.isEmpty ? nil : verdict.written.mapValues(relative)
  }

  private func relative(_ path: String) -> String {
    path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
  }

  /// Writes the candidate; further renders are removed unless parts of them may be approved.
  private func write(_ candidate: Candidate) throws(Fault) {
    let isReferred = candidate.parts.contains { $0.verdict != .unchanged && $0.file?.hasPrefix("retries/") == true }
    do {
      if !isReferred { try? FileManager.default.removeItem(atPath: ResultFolder(folder).retries) }
      let file = URL(filePath: ResultFolder(folder).baseline)
      try Data(Document.bytes(candidate)).write(to: file, options: .atomic)
    } catch {
      throw .engine("output-failed", "can't write \(ResultFolder(folder).baseline)")
    }
  }
}
