internal import Checks
internal import Core
internal import Jobs

/// A finding as its author needs it: what, where, how much, why, what to do, and how it looked.
struct FindingCard {
  let finding: Finding
  /// Whether it says why and what to do: once a check is enough.
  let isAdvised: Bool
  let creative: CreativeReport
  let id: String
  let page: ReportPage

  var node: Node {
    let rule = page.rule(finding.check)
    return element(
      "article", ["class": "finding \(finding.severity.rawValue)", "data-severity": finding.severity.rawValue]
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
      picture
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

  @NodeBuilder private var picture: Node {
    if let index = creative.record.screenshots.firstIndex(where: { $0.name == finding.screenshot }) {
      element("a", ["class": "moment", "href": "#\(id)-p\(index + 1)"]) {
        creative.record.screenshots[index].name
      }
    }
  }
}
