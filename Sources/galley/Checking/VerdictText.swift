internal import Checks
internal import Core
internal import Jobs

/// The verdict on one creative for people.
struct VerdictText {
  let palette: Palette
  let rules: [String: CheckReport.Rule]

  /// The creative's line, a line and a remedy for each finding, and what was overlooked.
  func text(_ creative: CreativeReport) -> String {
    let findings = creative.findings.map(line).joined()
    let suppressed = creative.suppressed.map {
      "  overlooked  \($0.finding.check): \($0.reason)\($0.expires.map { ", until \($0)" } ?? "")".printable + "\n"
    }.joined()
    let broken = creative.brokenChecks.map { "  broken check  \($0.check): \($0.message)".printable + "\n" }.joined()
    return head(creative) + failure(creative) + findings + suppressed + broken
  }

  private func head(_ creative: CreativeReport) -> String {
    let counts = Severity.allCases.reversed().compactMap { severity -> String? in
      let count = creative.findings.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let summary = counts.isEmpty ? "\(creative.passedChecks.count) checks" : counts.joined(separator: ", ")
    return "\(creative.name.printable)  \(palette.text(creative.status.words, for: creative.status))  \(summary)\n"
  }

  /// Why there was nothing to judge, where no finding says it.
  private func failure(_ creative: CreativeReport) -> String {
    guard creative.record.outcome != .completed, let message = creative.record.message,
      !creative.findings.contains(where: { $0.message.contains(message) })
    else { return "" }
    return "  \(message)\(creative.record.code.map { " [\($0)]" } ?? "")".printable + "\n"
  }

  private func line(_ finding: Finding) -> String {
    let place = finding.place.map { " (\($0.file)\($0.line.map { ":\($0)" } ?? ""))" } ?? ""
    let whose = finding.profiles.isEmpty ? "" : " [\(finding.profiles.joined(separator: ", "))]"
    let remedy = rules[finding.check].map { "           \($0.remedy.printable)\n" } ?? ""
    let severity = palette.text(finding.severity.rawValue.padded(to: 7), for: finding.severity)
    return "  \(severity)  " + "\(finding.check): \(finding.message)\(place)\(whose)".printable + "\n\(remedy)"
  }
}

extension CreativeReport.Status {
  /// For people.
  var words: String { self == .timedOut ? "timed out" : rawValue }
}
