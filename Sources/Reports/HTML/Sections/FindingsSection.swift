internal import Checks
internal import Jobs

/// What was found, with remedy and picture; then what was overlooked, couldn't be judged, and passed.
struct FindingsSection {
  static let mostOfACheck = 3

  let creative: CreativeReport
  let id: String
  let page: ReportPage

  var node: Node {
    element("section", ["class": "findings", "aria-label": "Findings"]) {
      for group in groups { self.group(group) }
      if creative.findings.isEmpty { element("p", ["class": "empty"]) { "Nothing found." } }
      refusals
      suppressed
      broken
      passed
    }
  }

  /// The findings of each check together, checks in the order of their worst.
  private var groups: [[Finding]] {
    creative.findings.map(\.check).uniqued().map { id in creative.findings.filter { $0.check == id } }
  }

  /// Advice once; what a check finds again and again is folded.
  @NodeBuilder private func group(_ findings: [Finding]) -> Node {
    for (index, finding) in findings.prefix(Self.mostOfACheck).enumerated() { card(finding, isAdvised: index == 0) }
    let rest = findings.dropFirst(Self.mostOfACheck)
    if let first = rest.first {
      Badge.folded("\(rest.count) more of: \(page.rule(first.check)?.title ?? first.check)", kind: "more") {
        for finding in rest { card(finding, isAdvised: false) }
      }
    }
  }

  private func card(_ finding: Finding, isAdvised: Bool) -> Node {
    FindingCard(finding: finding, isAdvised: isAdvised, creative: creative, id: id, page: page).node
  }

  /// Networks that refuse it for the same reasons together.
  @NodeBuilder private var refusals: Node {
    let refused = creative.acceptance.filter { !$0.accepted }
    if !refused.isEmpty {
      element("ul", ["class": "refusals"]) {
        for reasons in refused.map(\.refusedBy).uniqued() {
          element("li") {
            let networks = refused.filter { $0.refusedBy == reasons }.map { page.profile($0.profile) }
            element("b") { networks.joined(separator: ", ") }
            " \(networks.count == 1 ? "refuses" : "refuse") it: "
            reasons.map { page.rule($0)?.title ?? $0 }.joined(separator: "; ")
          }
        }
      }
    }
  }

  @NodeBuilder private var suppressed: Node {
    if !creative.suppressed.isEmpty {
      Badge.folded("\(creative.suppressed.count) suppressed", kind: "more") {
        element("ul") {
          for item in creative.suppressed {
            element("li") {
              element("code") { item.finding.check }
              " \(item.finding.message) – \(item.reason)"
              if let date = item.expires { " (until \(date))" }
            }
          }
        }
      }
    }
  }

  @NodeBuilder private var broken: Node {
    for check in creative.brokenChecks {
      element("p", ["class": "message"]) {
        element("code") { check.check }
        " couldn't judge: \(check.message)"
      }
    }
  }

  @NodeBuilder private var passed: Node {
    if !creative.passedChecks.isEmpty {
      Badge.folded("\(creative.passedChecks.count) checks passed", kind: "more") {
        element("ul", ["class": "columns"]) {
          for check in creative.passedChecks { element("li") { page.rule(check)?.title ?? check } }
        }
      }
    }
  }
}
