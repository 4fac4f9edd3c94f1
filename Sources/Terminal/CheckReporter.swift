internal import Application
package import Checks
package import Core
internal import FoundationEssentials
internal import RenderModel
internal import Reports

/// Prints a report on standard output, as readable text or whole as JSON.
package struct CheckReporter {
  private let output: OutputOptions
  private let console: Console
  private let out: String
  private let environment: [String: String]

  /// Makes the reporter; `out` is the folder of the results as the caller wrote it.
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
    let shown = report.creatives.filter { Self.isShown($0, quiet: output.quiet) }
    let shared = SharedFindings(shown)
    try console.printMessage(
      shown.map { verdict.text($0, shared) }.joined() + verdict.text(shared, of: shown.count))
    guard !output.quiet else { return }
    let matrix = report.creatives.isEmpty ? "" : AcceptanceMatrix(report: report, width: max(80, console.width)).text
    let playables = PlayableText(matrix: PlayableMatrix(report)).text
    let accepted = matrix.isEmpty ? "" : "\naccepted by\n" + matrix + playables
    let records = report.creatives.map(\.record)
    let told =
      AssumedSize(records).text + AssumedPlace(records).text + RecordWarnings(records).text + Self.machine(report)
      + Self.untouched(report)
    let policy = report.policy.map { "policy: \($0.text)\n" } ?? ""
    try console.printMessage(accepted + "\n" + told + policy + Self.counts(report, out: out) + "\n")
  }

  /// Indicates if a verdict is printed: of a playable's passed renders only in hosts of networks that have to accept it.
  private static func isShown(_ creative: CreativeReport, quiet: Bool) -> Bool {
    guard creative.status == .passed else { return true }
    return !quiet && (creative.build == nil || creative.acceptance.contains { $0.asked != nil })
  }

  /// Returns the line on creatives that couldn't be fully judged on this machine, once for all of them.
  private static func machine(_ report: CheckReport) -> String {
    let names = report.creatives.filter { $0.findings.contains(where: \.isTheMachines) }.map(\.name)
    guard !names.isEmpty else { return "" }
    return "this machine has no network access, so server responses weren't checked: \(names.listed)".printable + "\n"
  }

  /// Returns the line on creatives whose clicks weren't judged because no tap was tried, once for all of them.
  private static func untouched(_ report: CheckReport) -> String {
    let names = report.creatives.filter { $0.touched == false }.map(\.name)
    guard !names.isEmpty else { return "" }
    return "no tap was tried in \(names.listed), so clicks weren't checked: use --explore or a scenario"
      .printable + "\n"
  }

  /// Returns the number of verdicts by status, and the report's path.
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
    let notTried = report.creatives.reduce(0) { $0 + $1.rows(.notTried).count }
    let networks = notTried == 0 ? "" : "networks: \(notTried) not tried; "
    return "\(total) \(total == 1 ? "verdict" : "verdicts"): \(counts.joined(separator: ", ")); " + networks
      + "report: \(out)/\(ReportSource.fileName)".printable
  }
}

/// Verdict on one creative as readable text.
struct VerdictText {
  let palette: Palette
  let rules: [String: CheckReport.Rule]

  /// Returns the creative's line, its own findings with a remedy for each check, and what wasn't judged or tried.
  func text(_ creative: CreativeReport, _ shared: SharedFindings) -> String {
    let own = creative.findings.filter { !shared.contains($0) && !$0.isTheMachines }
    let next = own.dropFirst().map { Optional($0.check) } + [nil]
    let findings = zip(own, next).map { line($0) + ($0.check == $1 ? "" : remedy($0)) }.joined()
    let suppressed = creative.suppressed.map {
      "  overlooked  \($0.finding.check): \($0.reason)\($0.expires.map { ", until \($0)" } ?? "")".printable + "\n"
    }.joined()
    let broken = creative.brokenChecks.map { "  broken check  \($0.check): \($0.message)".printable + "\n" }.joined()
    return head(creative) + failure(creative) + findings + others(creative, shared) + suppressed + broken
      + notTried(creative)
  }

  /// Returns a line for each network whose rules are kept, but weren't all tried.
  ///
  /// Those of a playable are below the matrix.
  private func notTried(_ creative: CreativeReport) -> String {
    guard creative.build == nil else { return "" }
    return creative.acceptance.filter { $0.verdict == .notTried }.map {
      "  \($0.profile): not tried: \($0.notTriedText)".printable + "\n"
    }.joined()
  }

  /// Returns the findings that several creatives share, each once with its creatives.
  func text(_ shared: SharedFindings, of count: Int) -> String {
    shared.groups.map { group in
      let names = group.creatives.prefix(Self.mostNames).joined(separator: ", ").printable
      let more = group.creatives.count - Self.mostNames
      let rest = more > 0 ? " and \(more) more" : ""
      return "\nin \(group.creatives.count) of \(count) creatives\n\(line(group.finding))\(remedy(group.finding))"
        + "           \(names)\(rest)\n"
    }.joined()
  }

  /// Maximum number of creatives named for a shared finding.
  private static let mostNames = 5

  /// Returns the line with the creative's checks whose findings are printed below as shared ones.
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
    guard creative.record.code != RenderRecord.cancelledCode else {
      return "\(creative.name.printable)  \(palette.error("not rendered"))\n"
    }
    let summary = counts.isEmpty ? "\(creative.passedChecks.count) checks" : counts.joined(separator: ", ")
    return "\(creative.name.printable)  \(palette.text(creative.status.words, for: creative.status))  \(summary)\n"
  }

  /// Returns the reason why there was nothing to judge, if no finding contains it.
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

/// Findings that several creatives have with the same words, so that each is printed once.
struct SharedFindings {
  /// Shared finding with its creatives.
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

  /// Minimum number of creatives for which a finding is printed once.
  private static let least = 3

  /// Shared findings, those with most creatives first, then in the order in which they were found.
  let groups: [Group]
  private let words: Set<Words>

  init(_ creatives: [CreativeReport]) {
    var (order, found) = ([Words](), [Words: Group]())
    for creative in creatives {
      for finding in creative.findings where !finding.isTheMachines {
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
  /// Status in readable words.
  var words: String { self == .timedOut ? "timed out" : rawValue }
}

/// Tables of networks and the creatives they accept, no wider than the terminal.
struct AcceptanceMatrix {
  /// Answers to one creative, or to one build of a playable in all hosts.
  private struct Row {
    let name: String
    let answers: [CreativeReport.Acceptance]
  }

  private let rows: [Row]
  private let profiles: [CheckReport.ProfileSummary]
  private let width: Int

  init(report: CheckReport, width: Int) {
    let builds = PlayableMatrix(report).rows.map { Row(name: $0.build.printable, answers: $0.cells.map(\.answer)) }
    let others = report.creatives.filter { $0.build == nil }.map {
      Row(name: $0.name.printable, answers: $0.acceptance)
    }
    (rows, profiles, self.width) = (builds + others, report.profiles, width)
  }

  /// Tables as text; empty without profiles.
  var text: String {
    let nameWidth = min(40, rows.map(\.name.count).max() ?? 0)
    return groups(nameWidth).map { group in
      let head =
        "  " + "".padded(to: nameWidth) + group.map { "  " + $0.id.padded(to: width(of: $0)) }.joined().trimmed + "\n"
      return head
        + rows.map { row in
          "  " + row.name.padded(to: nameWidth)
            + group.map { "  " + mark(row, $0).padded(to: width(of: $0)) }.joined().trimmed + "\n"
        }.joined()
    }.joined()
  }

  /// Returns the profiles of each table, as many as fit beside each other.
  private func groups(_ nameWidth: Int) -> [[CheckReport.ProfileSummary]] {
    var groups: [[CheckReport.ProfileSummary]] = []
    var left = 0
    for profile in profiles {
      let wide = width(of: profile) + 2
      if wide > left {
        groups.append([])
        left = max(wide, width - nameWidth - 2)
      }
      groups[groups.count - 1].append(profile)
      left -= wide
    }
    return groups
  }

  /// Returns the width of a profile's column: of its id, or of its longest mark.
  private func width(of profile: CheckReport.ProfileSummary) -> Int {
    ([profile.id] + rows.map { mark($0, profile) }).map(\.count).max() ?? 0
  }

  private func mark(_ row: Row, _ profile: CheckReport.ProfileSummary) -> String {
    row.answers.first { $0.profile == profile.id }.map(\.verdict.mark) ?? "–"
  }
}

extension String {
  /// Text without spaces at its end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
