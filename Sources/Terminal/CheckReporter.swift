package import Checks
package import Core
internal import FoundationEssentials
internal import RenderModel
internal import Reports

/// Tells a report on standard output: as text for people, or whole as JSON.
package struct CheckReporter {
  private let output: OutputOptions
  private let console: Console
  private let out: String
  private let environment: [String: String]

  /// `out` is where the results are, as the caller wrote it.
  package init(
    output: OutputOptions, console: Console, out: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    (self.output, self.console, self.out, self.environment) = (output, console, out, environment)
  }

  package func printMessage(_ report: CheckReport) throws(Fault) {
    if output.json { return try console.printMessage(document: report) }
    let palette = Palette(isTerminal: console.isTerminal, environment: environment)
    let verdict = VerdictText(
      palette: palette, rules: Dictionary(report.rules.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    let shown = report.creatives.filter { !output.quiet || $0.status != .passed }
    let shared = SharedFindings(shown)
    try console.printMessage(
      shown.map { verdict.text($0, shared) }.joined() + verdict.text(shared, of: shown.count))
    guard !output.quiet else { return }
    let matrix = report.creatives.isEmpty ? "" : AcceptanceMatrix(report: report, width: max(80, console.width)).text
    let accepted = matrix.isEmpty ? "" : "\naccepted by\n" + matrix
    let records = report.creatives.map(\.record)
    let told = AssumedSize(records).text + RecordWarnings(records).text
    try console.printMessage(accepted + "\n" + told + Self.counts(report, out: out) + "\n")
  }

  /// How many verdicts there are of each kind, and where the report is.
  package static func counts(_ report: CheckReport, out: String) -> String {
    guard !report.creatives.isEmpty else {
      let share = report.part.map { ": none of \($0.total) creatives is in this share" } ?? ""
      return "no verdicts\(share); report: \(out)/\(ReportSource.fileName)".printable
    }
    let total = report.creatives.count
    let counts = CreativeReport.Status.allCases.compactMap { status -> String? in
      let count = report.creatives.count { $0.status == status }
      return count == 0 ? nil : "\(count) \(status.words)"
    }
    return "\(total) \(total == 1 ? "verdict" : "verdicts"): \(counts.joined(separator: ", ")); "
      + "report: \(out)/\(ReportSource.fileName)".printable
  }
}

/// The verdict on one creative for people.
struct VerdictText {
  let palette: Palette
  let rules: [String: CheckReport.Rule]

  /// The creative's line, a line for each finding of its own with a remedy behind those of a check, and what was
  /// overlooked.
  func text(_ creative: CreativeReport, _ shared: SharedFindings) -> String {
    let own = creative.findings.filter { !shared.contains($0) }
    let next = own.dropFirst().map { Optional($0.check) } + [nil]
    let findings = zip(own, next).map { line($0) + ($0.check == $1 ? "" : remedy($0)) }.joined()
    let suppressed = creative.suppressed.map {
      "  overlooked  \($0.finding.check): \($0.reason)\($0.expires.map { ", until \($0)" } ?? "")".printable + "\n"
    }.joined()
    let broken = creative.brokenChecks.map { "  broken check  \($0.check): \($0.message)".printable + "\n" }.joined()
    return head(creative) + failure(creative) + findings + others(creative, shared) + suppressed + broken
  }

  /// What many creatives have alike, each once, with who has it.
  func text(_ shared: SharedFindings, of count: Int) -> String {
    shared.groups.map { group in
      let names = group.creatives.prefix(Self.mostNames).joined(separator: ", ").printable
      let more = group.creatives.count - Self.mostNames
      let rest = more > 0 ? " and \(more) more" : ""
      return "\nin \(group.creatives.count) of \(count) creatives\n\(line(group.finding))\(remedy(group.finding))"
        + "           \(names)\(rest)\n"
    }.joined()
  }

  /// Creatives that are named of a group.
  private static let mostNames = 5

  /// Which findings are told below.
  private func others(_ creative: CreativeReport, _ shared: SharedFindings) -> String {
    let ids = creative.findings.filter(shared.contains).map(\.check).reduce(into: [String]()) { ids, id in
      if !ids.contains(id) { ids.append(id) }
    }
    return ids.isEmpty ? "" : "  below    \(ids.joined(separator: ", "))".printable + "\n"
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
    let severity = palette.text(finding.severity.rawValue.padded(to: 7), for: finding.severity)
    return "  \(severity)  " + "\(finding.check): \(finding.message)\(place)\(whose)".printable + "\n"
  }

  private func remedy(_ finding: Finding) -> String {
    rules[finding.check].map { "           \($0.remedy.printable)\n" } ?? ""
  }
}

/// Findings that several creatives have word for word, so that each is told once.
struct SharedFindings {
  /// One of them, and who has it.
  struct Group {
    let finding: Finding
    var creatives: [String]
  }

  private struct Words: Hashable {
    let check: String
    let severity: Severity
    let message: String
    let profiles: [String]

    init(_ finding: Finding) {
      (check, severity, message) = (finding.check, finding.severity, finding.message)
      profiles = finding.profiles
    }
  }

  /// Creatives from which on a finding is told for all of them.
  private static let least = 3

  /// Most creatives first, then in the order in which they were found.
  let groups: [Group]
  private let words: Set<Words>

  init(_ creatives: [CreativeReport]) {
    var (order, found) = ([Words](), [Words: Group]())
    for creative in creatives {
      for finding in creative.findings {
        let words = Words(finding)
        if found[words] == nil { order.append(words) }
        var group = found[words] ?? Group(finding: finding, creatives: [])
        if group.creatives.last != creative.name { group.creatives.append(creative.name) }
        found[words] = group
      }
    }
    let shared = order.filter { (found[$0]?.creatives.count ?? 0) >= Self.least }
    words = Set(shared)
    groups = shared.compactMap { words in
      found[words].map { group in
        // Where it is in the first creative says nothing of the others.
        var finding = group.finding
        finding.place = nil
        return Group(finding: finding, creatives: group.creatives)
      }
    }.enumerated().sorted {
      ($1.element.creatives.count, $0.offset) < ($0.element.creatives.count, $1.offset)
    }.map(\.element)
  }

  func contains(_ finding: Finding) -> Bool { words.contains(Words(finding)) }
}

extension CreativeReport.Status {
  /// For people.
  var words: String { self == .timedOut ? "timed out" : rawValue }
}

/// Which network takes which creative, as tables no wider than the terminal.
struct AcceptanceMatrix {
  let report: CheckReport
  let width: Int

  /// Empty without profiles.
  var text: String {
    let names = report.creatives.map { $0.name.printable }
    let nameWidth = min(40, names.map(\.count).max() ?? 0)
    return groups(nameWidth).map { group in
      let head = "  " + "".padded(to: nameWidth) + group.map { "  " + $0.id }.joined() + "\n"
      return head
        + report.creatives.map { creative in
          "  " + creative.name.printable.padded(to: nameWidth)
            + group.map { "  " + mark(creative, $0).padded(to: $0.id.count) }.joined().trimmed + "\n"
        }.joined()
    }.joined()
  }

  /// Profiles that stand beside each other.
  private func groups(_ nameWidth: Int) -> [[CheckReport.ProfileSummary]] {
    var groups: [[CheckReport.ProfileSummary]] = []
    var left = 0
    for profile in report.profiles {
      let wide = profile.id.count + 2
      if wide > left {
        groups.append([])
        left = max(wide, width - nameWidth - 2)
      }
      groups[groups.count - 1].append(profile)
      left -= wide
    }
    return groups
  }

  private func mark(_ creative: CreativeReport, _ profile: CheckReport.ProfileSummary) -> String {
    let row = creative.acceptance.first { $0.profile == profile.id }
    return row.map { $0.accepted ? "yes" : "no" } ?? "–"
  }
}

extension String {
  /// Without blanks at the end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
