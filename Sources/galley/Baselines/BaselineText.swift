internal import Baselines
internal import Checks
internal import Core
internal import Jobs

/// Outcomes as lines: one for each creative, then what is other.
struct BaselineText {
  let palette: Palette
  let showsSame: Bool
  /// The most findings of a log that are told; the document has all.
  private static let most = 12

  func of(_ outcomes: [BaselineOutcome], gone: [MissingCreative], out: String) -> String {
    let shown = outcomes.filter { showsSame || $0.verdict != .unchanged }
    let width = shown.map(\.name.printable.count).max() ?? 0
    let lines =
      shown.flatMap { outcome in
        ["\(outcome.name.printable.padded(to: width))  \(word(outcome))"] + details(outcome).map { "  " + $0 }
      } + gone.map { "\(palette.text("missing-creative", for: .warning))  \($0.line.printable)" }
    let recorded = outcomes.count { $0.action == .recorded }
    let counts =
      CreativeVerdict.allCases.compactMap { verdict in
        let count = outcomes.count { $0.verdict == verdict && $0.action != .recorded }
        return count == 0 ? nil : "\(count) \(verdict.rawValue)"
      } + (recorded == 0 ? [] : ["\(recorded) recorded"])
    let needsLook = outcomes.contains { $0.verdict != .unchanged && $0.action != .recorded && $0.candidate != nil }
    let hint =
      needsLook
      ? ["results: \(out.printable)", "to take it over: galley baseline approve --out \(out.printable) …"] : []
    let summary = showsSame || !lines.isEmpty ? ["", counts.joined(separator: ", ")] + hint : []
    return (lines + summary).map { $0 + "\n" }.joined()
  }

  private func word(_ outcome: BaselineOutcome) -> String {
    if let action = outcome.action {
      return action == .recorded ? palette.text("recorded", for: .completed) : palette.error("differs, kept")
    }
    return outcome.verdict == .unchanged
      ? palette.text("unchanged", for: .completed) : palette.error(outcome.verdict.rawValue)
  }

  private func details(_ outcome: BaselineOutcome) -> [String] {
    if let problem = outcome.problem { return [palette.error("\(problem.message) [\(problem.code)]".printable)] }
    if let failure = outcome.failure { return [ResultRow(name: "", record: failure).fault ?? ""] }
    guard let candidate = outcome.candidate else { return [] }
    var lines: [String] = []
    if candidate.verdict == .refused {
      lines.append("the baseline was drawn by something else, so it isn't compared:")
      lines += (candidate.differences ?? []).map { "  " + $0.printable }
      return lines
    }
    let told = candidate.parts.filter { !$0.steady || $0.verdict != .unchanged && candidate.verdict != .new }
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
      facts.append(isKnown ? "as its baseline says" : "no two of \(candidate.renders) renders agree")
    }
    return "\(part.name.printable)  \(facts.joined(separator: ", "))"
  }
}
