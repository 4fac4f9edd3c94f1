internal import Checks
internal import Core
internal import RenderModel

/// Section with the findings, their remedies and pictures, then suppressed findings and the other checks.
struct FindingsSection {
  static let mostOfACheck = 3

  let creative: CreativeReport
  let id: String
  let strip: PictureStrip
  let page: ReportPage

  var node: Node {
    element("section", ["class": "findings", "aria-label": "Findings about \(creative.name)"]) {
      for group in groups { self.group(group) }
      if creative.findings.isEmpty { element("p", ["class": "empty"]) { "No findings." } }
      refusals
      untriedNetworks
      suppressed
      broken
      passed
    }
  }

  /// Findings grouped by check, with checks in the order of their worst finding.
  private var groups: [[NumberedFinding]] {
    let numbered = creative.findings.enumerated().map { NumberedFinding(number: $0.offset + 1, finding: $0.element) }
    return creative.findings.map(\.check).uniqued().map { id in numbered.filter { $0.finding.check == id } }
  }

  /// Returns the findings of a check, with advice on the first one and further ones folded.
  @NodeBuilder private func group(_ findings: [NumberedFinding]) -> Node {
    for (index, finding) in findings.prefix(Self.mostOfACheck).enumerated() { card(finding, isAdvised: index == 0) }
    let rest = findings.dropFirst(Self.mostOfACheck)
    if let first = rest.first {
      Badge.folded(
        "\(rest.count) more of: \(page.rule(first.finding.check)?.title ?? first.finding.check)", kind: "more"
      ) {
        for finding in rest { card(finding, isAdvised: false) }
      }
    }
  }

  private func card(_ numbered: NumberedFinding, isAdvised: Bool) -> Node {
    let picture = creative.record.screenshots.firstIndex { $0.name == numbered.finding.screenshot }
    return FindingCard(
      finding: numbered.finding, isAdvised: isAdvised, id: id, number: numbered.number,
      picture: picture.flatMap { strip.id($0) }, page: page
    ).node
  }

  /// Networks that refuse the creative, those with the same reasons together.
  @NodeBuilder private var refusals: Node {
    let refused = creative.rows(.refused)
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

  /// Networks whose rules are kept, but weren't all tried, with the means to try them.
  @NodeBuilder private var untriedNetworks: Node {
    let rows = creative.rows(.notTried)
    if !rows.isEmpty {
      element("ul", ["class": "untried"]) {
        for row in rows {
          element("li") {
            element("b") { page.profile(row.profile) }
            ": not tried: \(row.notTriedText)"
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
        " couldn't judge the creative: \(check.message)"
      }
    }
  }

  @NodeBuilder private var passed: Node {
    if creative.touched == false {
      element("p", ["class": "message"]) { "No tap was tried, so the effects of clicks weren't judged." }
    }
    if !creative.passedChecks.isEmpty {
      Badge.folded("\(creative.passedChecks.count) checks passed", kind: "more") {
        element("ul", ["class": "columns"]) {
          for check in creative.passedChecks { element("li") { page.rule(check)?.title ?? check } }
        }
      }
    }
    if let rules = creative.notTried, !rules.isEmpty {
      Badge.folded("\(rules.count) \(rules.count == 1 ? "check" : "checks") not tried", kind: "more") {
        element("ul") {
          for rule in rules { element("li") { "\(page.rule(rule.check)?.title ?? rule.check): \(rule.reason)" } }
        }
      }
    }
  }
}

/// Finding with its number in the creative's list, which forms its anchor in the page.
private struct NumberedFinding {
  let number: Int
  let finding: Finding
}

/// Card of a finding: message, place, measured value, reason, remedy and picture.
struct FindingCard {
  let finding: Finding
  /// Indicates if the card has reason and remedy: once per check is enough.
  let isAdvised: Bool
  let id: String
  let number: Int
  /// Anchor of the picture that shows the finding; nil for none.
  let picture: String?
  let page: ReportPage

  var node: Node {
    let rule = page.rule(finding.check)
    return element(
      "article",
      [
        "class": "finding \(finding.severity.rawValue)", "data-severity": finding.severity.rawValue,
        "data-check": finding.check, "id": "\(id)-f\(number)",
      ]
    ) {
      element("div", ["class": "words"]) {
        element("h3") {
          Badge.severity(finding.severity)
          " \(rule?.title ?? finding.check)"
        }
        element("p", ["class": "what"]) { finding.message }
        if let measure = finding.measure { self.measure(measure) }
        place
        if isAdvised, let rule { advice(rule) }
      }
      moment
    }
  }

  private func measure(_ measure: Finding.Measure) -> Node {
    let most = max(measure.value, measure.limit, .leastNonzeroMagnitude)
    return element("p", ["class": "measure"]) {
      element("svg", ["viewBox": "0 0 100 6", "preserveAspectRatio": "none", "aria-hidden": "true"]) {
        bar("value", measure.value / most)
        element(
          "rect", ["class": "limit", "x": NumberText.tenths(measure.limit / most * 99), "width": "1", "height": "6"])
      }
      " \(measure.text)"
    }
  }

  private func bar(_ kind: String, _ share: Double) -> Node {
    let width = share.isFinite ? min(max(share, 0), 1) * 100 : 0
    return element("rect", ["class": kind, "width": NumberText.tenths(width), "height": "6"])
  }

  private var place: Node {
    element("p", ["class": "where"]) {
      element("code") { finding.check }
      if let place = finding.place { " in \(place.text)" }
      if let event = finding.event {
        " "
        element("a", ["href": "#\(id)-e\(event)"]) { "event \(event)" }
      }
      for profile in finding.profiles {
        " "
        element("span", ["class": "profile"]) { page.profile(profile) }
      }
      " "
      element("a", ["href": "#\(id)-f\(number)", "aria-label": "Link to this finding"]) { "link" }
    }
  }

  private func advice(_ rule: CheckReport.Rule) -> Node {
    element("div", ["class": "advice"]) {
      element("p") { rule.why }
      element("p", ["class": "remedy"]) {
        element("b") { "Remedy: " }
        rule.remedy
      }
      element("p", ["class": "source"]) {
        let date = rule.source.date.map { ", \($0)" } ?? ""
        if rule.source.isOnTheWeb {
          element("a", ["href": rule.source.url, "rel": "noopener noreferrer"]) { rule.source.title }
          date
        } else {
          rule.source.title + date
        }
      }
    }
  }

  @NodeBuilder private var moment: Node {
    if let picture, let name = finding.screenshot {
      element("a", ["class": "moment", "href": "#\(picture)"]) { name }
    }
  }
}

extension Sequence where Element: Hashable {
  /// Returns each element once, in the order of first occurrence.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
