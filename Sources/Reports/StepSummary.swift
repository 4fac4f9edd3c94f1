internal import Checks
internal import Core

/// A page in GitHub's Markdown for `$GITHUB_STEP_SUMMARY`: the verdict, a row a creative, findings, the matrix.
package enum StepSummary {
  /// GitHub refuses a summary of more than 1 MiB; a long one tells of the first creatives only.
  private static let mostBytes = 900_000

  /// What is added to the file that GitHub names.
  package static func text(_ source: ReportSource) -> String {
    let report = source.report
    let tally = VerdictCounts(report)
    var text = "## \(tally.passes ? "✅" : "❌") Galley: \(Markdown.text(tally.headline))\n\n" + table(report)
    if !report.profiles.isEmpty { text += matrix(report) }
    for (index, creative) in report.creatives.enumerated() where !creative.findings.isEmpty {
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
        "\(creative.findings.count { $0.severity == severity })"
      }
      return Markdown.row([Markdown.text(creative.name), creative.status.told] + counts)
    }
    return Markdown.table(["creative", "verdict", "errors", "warnings", "notes"], rows: rows)
  }

  private static func matrix(_ report: CheckReport) -> String {
    let rows = report.creatives.map { creative in
      Markdown.row(
        [Markdown.text(creative.name)]
          + report.profiles.map { profile in
            creative.acceptance(by: profile.id).map { $0.accepted ? "✅" : "❌" } ?? "–"
          })
    }
    return "\n### Accepted by\n\n"
      + Markdown.table(["creative"] + report.profiles.map { Markdown.text($0.title) }, rows: rows)
  }

  private static func findings(_ creative: CreativeReport, rules: [CheckReport.Rule]) -> String {
    let items = creative.findings.map { finding in
      let remedy = rules.first { $0.id == finding.check }.map { " *\(Markdown.text($0.remedy))*" } ?? ""
      let check = "**\(finding.severity.rawValue)** `\(Markdown.code(finding.check))`"
      return "- \(check) \(Markdown.text(finding.message))\(remedy)\n"
    }
    return "\n<details><summary>\(Markdown.html(creative.name)): \(creative.findings.count) found</summary>\n\n"
      + items.joined() + "\n</details>\n"
  }
}

/// GitHub's Markdown from texts that mustn't be read as such.
enum Markdown {
  /// Every sign that could begin markup escaped, on one line.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in ReportText.line(text).unicodeScalars {
      if special.contains(scalar) { result += "&#\(scalar.value);" } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// Among them what links, mentions and numbers of issues begin with.
  private static let special = Set("\\`*_{}[]()<>#+!|&~@:/$^=\"'".unicodeScalars)

  /// Between backticks.
  static func code(_ text: String) -> String {
    ReportText.line(text).replacing("`", with: "'").replacing("|", with: "/")
  }

  /// Inside of an HTML element.
  static func html(_ text: String) -> String { MarkupText.html(ReportText.line(text)) }

  static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  static func table(_ heads: [String], rows: [String]) -> String {
    row(heads) + row(heads.map { _ in "---" }) + rows.joined()
  }
}
