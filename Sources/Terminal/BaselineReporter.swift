package import Application
internal import Checks
internal import Comparison
package import Core
internal import FoundationEssentials
internal import RenderModel

/// Prints the outcomes of baseline commands as readable text or as one JSON document.
package struct BaselineReporter {
  private let output: OutputOptions
  private let command: String
  private let console: Console

  package init(output: OutputOptions, command: String, console: Console = .output) {
    (self.output, self.command, self.console) = (output, command, console)
  }

  /// Prints the outcomes of a run.
  package func printMessage(
    _ outcomes: [BaselineOutcome], gone: [MissingCreative] = [], out: String, status: ExitStatus
  ) throws(Fault) {
    let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
    let text = BaselineText(palette: palette, showsSame: !output.quiet).of(outcomes, gone: gone, out: out)
    // Whoever keeps a first picture is to know in which size it was taken.
    let fresh = outcomes.filter { $0.action == .recorded || $0.verdict == .new }
    let records = fresh.compactMap { $0.folder.flatMap { try? ResultFolder($0).record() } }
    let sizes = output.quiet ? "" : AssumedSize(records).text
    let document = BaselineRunDocument(command: command, outcomes: outcomes, gone: gone, exitCode: status.rawValue)
    try printMessage(document, text: text + sizes)
  }

  /// Prints a document, or its contents as text lines.
  package func printMessage(_ document: BaselineStoreDocument, lines: [String]) throws(Fault) {
    try printMessage(document, text: output.quiet ? "" : lines.map { $0.printable + "\n" }.joined())
  }

  private func printMessage(_ document: some Encodable, text: String) throws(Fault) {
    if output.json { try console.printMessage(document: document) } else { try console.printMessage(text) }
  }

  /// Returns a size in bytes as text, such as `1.2 MB`.
  package static func size(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    let (unit, name) = bytes < 1_000_000 ? (1000, "kB") : (1_000_000, "MB")
    let tenths = (bytes * 10 + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10) \(name)"
  }
}

/// Outcomes as lines: one for each creative, followed by its differences.
struct BaselineText {
  let palette: Palette
  let showsSame: Bool
  /// Maximum number of findings of a log that are printed; the document has all of them.
  private static let most = 12

  func of(_ outcomes: [BaselineOutcome], gone: [MissingCreative], out: String) -> String {
    let shown = outcomes.filter { showsSame || $0.verdict != .unchanged }
    let width = shown.map(\.title.printable.count).max() ?? 0
    let lines =
      shown.flatMap { outcome in
        ["\(outcome.title.printable.padded(to: width))  \(word(outcome))"] + details(outcome).map { "  " + $0 }
      } + gone.map { "\(palette.text("missing-creative", for: .warning))  \($0.line.printable)" }
    let recorded = outcomes.count { $0.action == .recorded }
    var counts =
      CreativeVerdict.allCases.compactMap { verdict in
        let count = outcomes.count { $0.verdict == verdict && $0.action != .recorded }
        return count == 0 ? nil : "\(count) \(verdict.rawValue)"
      } + (recorded == 0 ? [] : ["\(recorded) recorded"])
    let needsLook = outcomes.contains { $0.verdict != .unchanged && $0.action != .recorded && $0.candidate != nil }
    let folder = ShellWord.quoted(out)
    let isNew = outcomes.contains { $0.verdict == .new && $0.action != .recorded && $0.candidate != nil }
    let hint =
      needsLook
      ? (isNew ? ["new: no baseline yet; approve it, or run 'galley baseline record'"] : []) + [
        "results: \(out.printable)",
        "to approve all changes: galley baseline approve --all --out \(folder.printable)",
      ] : []
    let uncompared = outcomes.count { $0.candidate?.filesCompared == false && $0.action != .recorded }
    if uncompared > 0 {
      counts.append(
        "files not compared in \(uncompared): a URL delivers other files each time, or the baseline has none "
          + "('baseline record --overwrite' adds them)")
    }
    let summary = showsSame || !lines.isEmpty ? ["", counts.joined(separator: ", ")] + hint : []
    return (lines + summary).map { $0 + "\n" }.joined()
  }

  private func word(_ outcome: BaselineOutcome) -> String {
    if let action = outcome.action {
      return action == .recorded ? palette.text("recorded", for: .completed) : palette.error("differs, kept")
    }
    guard outcome.verdict == .unchanged else { return palette.error(outcome.verdict.rawValue) }
    let word = palette.text("unchanged", for: .completed)
    return outcome.candidate?.filesCompared == false ? "\(word), files not compared" : word
  }

  private func details(_ outcome: BaselineOutcome) -> [String] {
    if let problem = outcome.problem { return [palette.error("\(problem.message) [\(problem.code)]".printable)] }
    if let failure = outcome.failure { return [ResultRow(name: "", record: failure).fault ?? ""] }
    guard let candidate = outcome.candidate else { return [] }
    var lines: [String] = []
    if candidate.verdict == .refused {
      lines.append("the baseline was drawn in another environment, so it isn't compared:")
      lines += (candidate.differences ?? []).map { "  " + $0.printable }
      return lines
    }
    if let changes = candidate.fileChanges {
      let pictures = candidate.verdict == .filesChanged ? "screenshots unchanged, " : ""
      lines.append(palette.error("\(pictures)files changed: \(FileComparison.text(changes).printable)"))
      let addresses = changes.flatMap(\.lines)
      lines += addresses.prefix(Self.most).map { "  " + $0.printable }
      if addresses.count > Self.most { lines.append("  and \(addresses.count - Self.most) more") }
    }
    let others = candidate.parts.filter { $0.name != PartName.files }
    let told = others.filter { !$0.steady || $0.verdict != .unchanged && candidate.verdict != .new }
    lines += told.map { line($0, candidate) }
    let findings = candidate.findings ?? []
    lines += findings.prefix(Self.most).map { "  " + $0.printable }
    if findings.count > Self.most { lines.append("  and \(findings.count - Self.most) more") }
    return lines
  }

  private func line(_ part: Candidate.Part, _ candidate: Candidate) -> String {
    var facts = [part.verdict.rawValue]
    if let differing = part.differing { facts.append("\(differing) pixels") }
    if part.verdict == .unchanged { facts.append("but not in each of \(candidate.renders) renders") }
    if part.verdict == .flaky {
      let isKnown = part.kept != nil || candidate.verdict == .unchanged
      facts.append(isKnown ? "as in its baseline" : "no two of \(candidate.renders) renders agree")
    }
    return "\(part.name.printable)  \(facts.joined(separator: ", "))"
  }
}
