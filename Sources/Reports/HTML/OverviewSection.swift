internal import Checks

/// Table with a row for each creative: verdict, counts and the acceptance matrix.
struct OverviewSection {
  let report: CheckReport
  let page: ReportPage

  var node: Node {
    element("section", ["class": "overview", "aria-label": "Networks"]) {
      element("div", ["class": "scrolls", "tabindex": "0", "role": "group", "aria-label": "Acceptance by network"]) {
        element("table", ["class": report.profiles.count > 6 ? "matrix many" : "matrix"]) {
          element("thead") { head }
          element("tbody") {
            for (index, creative) in report.creatives.enumerated() { row(creative, number: index + 1) }
          }
        }
      }
      legend
    }
  }

  private var head: Node {
    element("tr") {
      for head in [ColumnHead.text("Creative"), .text("Verdict")] { head.node }
      for word in ["Errors", "Warnings", "Notes"] { ColumnHead.numbers(word).node }
      for profile in report.profiles {
        element("th", ["scope": "col", "class": "profile"]) { element("span") { profile.title } }
      }
    }
  }

  private func row(_ creative: CreativeReport, number: Int) -> Node {
    element("tr", ["data-status": creative.status.rawValue, "data-creative": "c\(number)"]) {
      element("th", ["scope": "row"]) {
        element("a", ["href": "#c\(number)"]) { creative.name }
      }
      element("td") { Badge.status(creative.status) }
      for severity in Severity.allCases.reversed() { count(creative.findings.count { $0.severity == severity }) }
      for profile in report.profiles { cell(creative, profile.id) }
    }
  }

  private func count(_ count: Int) -> Node { element("td", ["class": "number"]) { count == 0 ? "–" : "\(count)" } }

  private func cell(_ creative: CreativeReport, _ profile: String) -> Node {
    guard let verdict = creative.acceptance(by: profile) else {
      return element("td", ["class": "unknown"]) { "–" }
    }
    let reasons = page.reasons(verdict)
    return element("td", ["class": verdict.verdict.tone, "title": reasons]) {
      element("span", ["class": "tick", "aria-hidden": "true"]) { verdict.verdict.sign }
      element("span", ["class": "spoken"]) { "\(verdict.verdict.words)\(reasons.map { ": \($0)" } ?? "")" }
    }
  }

  /// Meaning of the signs that the table uses.
  private var legend: Node {
    let verdicts = CreativeReport.Acceptance.Verdict.allCases.filter { verdict in
      report.creatives.contains { !$0.rows(verdict).isEmpty }
    }
    return element("p", ["class": "legend"]) {
      for verdict in verdicts {
        element("span", ["class": verdict.tone]) { "\(verdict.sign) \(verdict.words)" }
        " "
      }
    }
  }
}

extension CreativeReport.Acceptance.Verdict {
  /// CSS class of its cells and labels.
  var tone: String {
    switch self {
    case .accepted: "yes"
    case .refused: "no"
    case .notTried: "untried"
    }
  }

  var sign: String {
    switch self {
    case .accepted: "✓"
    case .refused: "✗"
    case .notTried: "?"
    }
  }

  var words: String { self == .notTried ? "not tried" : rawValue }
}

/// Verdict on the whole run, at the top of the page.
struct VerdictSection {
  let tally: VerdictCounts
  let report: CheckReport

  var node: Node {
    element("header", ["class": "verdict \(tally.passes ? "passed" : "failed")"]) {
      element("h1") { tally.headline.prefix(1).uppercased() + tally.headline.dropFirst() }
      element("ul", ["class": "counts"]) {
        for (count, word, kind) in counts where count > 0 || kind == "error" && tally.isJudged {
          element("li", ["class": kind]) {
            element("b") { "\(count)" }
            " \(word)"
          }
        }
      }
    }
  }

  private var counts: [(Int, String, String)] {
    [
      (tally.errors, tally.errors == 1 ? "error" : "errors", "error"),
      (tally.warnings, tally.warnings == 1 ? "warning" : "warnings", "warning"),
      (tally.notes, tally.notes == 1 ? "note" : "notes", "note"),
      (tally.suppressed, "suppressed", "suppressed"),
      (tally.notTried, tally.notTried == 1 ? "network not tried" : "networks not tried", "untried"),
      (tally.brokenChecks, tally.brokenChecks == 1 ? "broken check" : "broken checks", "broken"),
    ]
  }
}
