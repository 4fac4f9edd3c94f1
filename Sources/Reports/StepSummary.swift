internal import Checks
internal import Core
internal import RenderModel

/// Page in GitHub's Markdown for `$GITHUB_STEP_SUMMARY`: verdict, table of creatives, findings, acceptance matrix.
package enum StepSummary {
  /// Maximum size in bytes; a longer summary has the findings of the first creatives only.
  ///
  /// GitHub refuses summaries of more than 1 MiB.
  private static let mostBytes = 900_000

  /// Returns the text to append to the file that GitHub names.
  package static func text(_ source: ReportSource) -> String {
    let report = source.report
    let tally = VerdictCounts(report)
    var text = "## \(tally.passes ? "✅" : "❌") Galley: \(Markdown.text(tally.headline))\n\n" + table(report)
    text += assumed(report)
    if let policy = report.policy { text += "\nPolicy: \(Markdown.text(policy.text))\n" }
    if !report.profiles.isEmpty { text += matrix(report) }
    for (index, creative) in report.creatives.enumerated() where !creative.problems.isEmpty {
      let section = findings(creative, rules: report.rules)
      guard text.utf8.count + section.utf8.count < mostBytes else {
        return text + "\n… and the findings of \(report.creatives.count - index) more creatives.\n"
      }
      text += section
    }
    return text
  }

  private static func table(_ report: CheckReport) -> String {
    let rows = report.creatives.map { creative in
      let counts = Severity.allCases.reversed().map { severity in
        "\(creative.problems.count { $0.severity == severity })"
      }
      return Markdown.row([Markdown.text(creative.name), creative.status.told] + counts)
    }
    return Markdown.table(["creative", "verdict", "errors", "warnings", "notes"], rows: rows)
  }

  /// Returns the assumptions about creatives, at most 20 and the number of the rest.
  private static func assumed(_ report: CheckReport) -> String {
    let lines = report.creatives.flatMap { creative in
      creative.record.assumed.map { "- \(Markdown.text(creative.name)): \(Markdown.text($0))\n" }
    }
    let more = lines.count > 20 ? "- and \(lines.count - 20) more\n" : ""
    return lines.isEmpty ? "" : "\n" + lines.prefix(20).joined() + more
  }

  /// Returns the answers of the networks: to builds of playables by the matrix, to other creatives one by one.
  private static func matrix(_ report: CheckReport) -> String {
    let builds = PlayableMatrix(report)
    let rows = builds.rows.map { row in
      line(row.build, report) { id in row.cells.first { $0.answer.profile == id }.map(mark) }
    }
    let others = report.creatives.filter { $0.build == nil }
    let untried = others.flatMap { creative in
      creative.rows(.notTried).map { row in
        let words = "\(creative.name), \(title(row.profile, report)): not tried: \(row.notTriedText)"
        return "- ❔ \(Markdown.text(words))\n"
      }
    }
    let lines = reasons(builds, report) + untried
    let more = lines.count > mostReasons ? "- and \(lines.count - mostReasons) more\n" : ""
    return "\n### Accepted by\n\n"
      + Markdown.table(
        ["creative"] + report.profiles.map { Markdown.text($0.title) },
        rows: rows
          + others.map { other in line(other.name, report) { other.acceptance(by: $0).map(\.verdict.emoji) } })
      + (lines.isEmpty ? "" : "\n" + lines.prefix(mostReasons).joined() + more)
  }

  private static func line(_ name: String, _ report: CheckReport, _ mark: (String) -> String?) -> String {
    Markdown.row([Markdown.text(name)] + report.profiles.map { mark($0.id) ?? "–" })
  }

  private static func mark(_ cell: PlayableMatrix.Cell) -> String {
    cell.isAsked ? "\(cell.answer.verdict.emoji) \(cell.words)" : cell.words
  }

  /// Returns a line with the reasons for each network that has to accept a build and doesn't.
  private static func reasons(_ builds: PlayableMatrix, _ report: CheckReport) -> [String] {
    builds.asked.compactMap { build, cell in
      cell.reasons.map { reasons in
        let remedies = cell.issues.compactMap(\.remedy).joined(separator: " ")
        let words = "\(build), \(title(cell.answer.profile, report)): \(cell.words): \(reasons)"
        return "- \(cell.answer.verdict.emoji) \(Markdown.text(words))"
          + (remedies.isEmpty ? "" : " *\(Markdown.text(remedies))*") + "\n"
      }
    }
  }

  private static func title(_ profile: String, _ report: CheckReport) -> String {
    report.profiles.first { $0.id == profile }?.title ?? profile
  }

  /// Maximum number of lines with reasons of answers.
  private static let mostReasons = 20

  private static func findings(_ creative: CreativeReport, rules: [CheckReport.Rule]) -> String {
    let items = creative.problems.map { finding in
      let remedy = rules.first { $0.id == finding.check }.map { " *\(Markdown.text($0.remedy))*" } ?? ""
      let check = "**\(finding.severity.rawValue)** `\(Markdown.code(finding.check))`"
      return "- \(check) \(Markdown.text(finding.message))\(remedy)\n"
    }
    let noun = creative.problems.count == 1 ? "finding" : "findings"
    return "\n<details><summary>\(Markdown.html(creative.name)): \(creative.problems.count) \(noun)</summary>\n\n"
      + items.joined() + "\n</details>\n"
  }
}

extension CreativeReport.Acceptance.Verdict {
  /// Mark in the matrix.
  fileprivate var emoji: String {
    switch self {
    case .accepted: "✅"
    case .refused: "❌"
    case .notTried: "❔"
    }
  }
}

/// Markdown for GitHub from texts that mustn't be read as markup.
enum Markdown {
  /// Returns the text on one line, with all characters escaped that could begin markup.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in ReportText.line(text).unicodeScalars {
      if special.contains(scalar) { result += "&#\(scalar.value);" } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// Characters that are escaped, including those that begin links, mentions and issue numbers.
  private static let special = Set("\\`*_{}[]()<>#+!|&~@:/$^=\"'".unicodeScalars)

  /// Returns the text for use between backticks.
  static func code(_ text: String) -> String {
    ReportText.line(text).replacing("`", with: "'").replacing("|", with: "/")
  }

  /// Returns the text for use inside of an HTML element.
  static func html(_ text: String) -> String { MarkupText.html(ReportText.line(text)) }

  static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  static func table(_ heads: [String], rows: [String]) -> String {
    row(heads) + row(heads.map { _ in "---" }) + rows.joined()
  }
}
