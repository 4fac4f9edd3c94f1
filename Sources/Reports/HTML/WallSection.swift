internal import Checks
internal import Core
internal import RenderModel

/// First section of a page: a picture of each creative, with its verdict and the networks' verdicts.
struct WallSection {
  let report: CheckReport
  let page: ReportPage

  var node: Node {
    element("section", ["class": "wall part-ad", "aria-label": "Creatives"]) {
      element("ul", ["class": "cards"]) {
        for (index, creative) in report.creatives.enumerated() {
          WallCard(creative: creative, place: index, page: page).node
        }
      }
    }
  }
}

/// Card of one creative on the wall.
private struct WallCard {
  let creative: CreativeReport
  let place: Int
  let page: ReportPage

  /// Maximum number of networks named on a card; if there are more, only refusing ones are named.
  private static let most = 4

  private var id: String { "c\(place + 1)" }

  var node: Node {
    element("li", attributes) {
      thumb
      element("div", ["class": "about"]) {
        element("a", ["class": "name", "href": "#\(id)"]) { creative.name }
        element("p") {
          page.isJudged ? Badge.status(creative.status) : Badge.outcome(creative.status)
          " \(counts)"
        }
        element("p", ["class": "facts"]) { facts }
        networks
      }
    }
  }

  private var attributes: KeyValuePairs<String, String?> {
    [
      "class": "card \(creative.status.rawValue)", "data-creative": id, "data-place": "\(place)",
      "data-name": creative.name, "data-status": creative.status.rawValue, "data-errors": "\(count(.error))",
      "data-warnings": "\(count(.warning))", "data-device": creative.record.device.name, "data-folder": folder,
      "data-checks": creative.findings.map(\.check).uniqued().joined(separator: " "),
      "data-refused": creative.rows(.refused).map(\.profile).joined(separator: " "),
    ]
  }

  private var thumb: Node {
    let best = PictureStrip(creative, id: id, page: page).best
    let screen = best?.shots.first.flatMap { picture($0.path) }
    let alone = best?.shots.first.flatMap { picture($0.pathOfAd) }
    return element(
      "a",
      [
        "class": alone == nil ? "thumb" : "thumb has-ad", "href": "#\(best?.id ?? id)",
        "aria-label": "Screenshots of \(creative.name)",
      ]
    ) {
      if let screen { screen.node(alt: "", kind: "screen") } else { element("span") { "no screenshot" } }
      if let alone { alone.node(alt: "", kind: "alone") }
    }
  }

  private func picture(_ file: String) -> ReportScreenshot? {
    page.album.picture(file, for: .thumb, in: creative, of: page.source)
  }

  private var counts: String {
    let parts = [(count(.error), "error"), (count(.warning), "warning"), (count(.note), "note")]
    return parts.filter { $0.0 > 0 }.prefix(2).map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  private func count(_ severity: Severity) -> Int { creative.findings.count { $0.severity == severity } }

  private var facts: String {
    let placement = creative.record.placement.map {
      "\($0.kind.rawValue) \(NumberText.tenths($0.width))×\(NumberText.tenths($0.height))"
    }
    let assumed = creative.record.assumed.isEmpty ? nil : "assumed"
    return [creative.record.device.name, placement, assumed].compactMap(\.self).joined(separator: " · ")
  }

  /// Folder of the creative as the caller wrote it.
  private var folder: String {
    let parts = creative.record.creative.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  @NodeBuilder private var networks: Node {
    let verdicts = creative.acceptance
    let shown = verdicts.count <= Self.most ? verdicts : Array(creative.rows(.refused).prefix(Self.most))
    if !verdicts.isEmpty {
      element("ul", ["class": "networks"]) {
        for verdict in shown { network(verdict) }
        if shown.count < verdicts.count {
          element("li", ["class": "more"]) { counts(verdicts) }
        }
      }
    }
  }

  /// Returns the numbers of networks that accept the creative or can't answer; those that refuse it are named.
  private func counts(_ rows: [CreativeReport.Acceptance]) -> String {
    let notTried = creative.rows(.notTried).count
    return "accepted by \(creative.rows(.accepted).count) of \(rows.count)"
      + (notTried > 0 ? ", not tried for \(notTried)" : "")
  }

  private func network(_ row: CreativeReport.Acceptance) -> Node {
    let reasons = page.reasons(row)
    return element("li", ["class": row.verdict.tone, "title": reasons]) {
      element("span", ["aria-hidden": "true"]) { "\(row.verdict.sign) " }
      page.profile(row.profile)
      element("span", ["class": "spoken"]) { ", \(row.verdict.words)\(reasons.map { ": \($0)" } ?? "")" }
    }
  }
}

/// Controls for filter, order and groups of the creatives; without script all are shown.
struct FilterBar {
  let report: CheckReport

  var node: Node {
    element(
      "form", ["class": "filters findings-filter", "role": "search", "aria-label": "Filter creatives and findings"]
    ) {
      element("label", ["class": "search"]) {
        "Find "
        element("input", ["type": "search", "name": "text", "placeholder": "check, message or creative"])
      }
      for severity in Severity.allCases.reversed() {
        chip("checkbox", severity.rawValue, " \(severity.rawValue)s", true)
      }
      chip("checkbox", "failing", " only creatives that don't pass", false)
      if report.creatives.count > 1 { arranging }
      element("output") { "" }
    }
  }

  @NodeBuilder private var arranging: Node {
    let refusing = report.profiles.filter { profile in
      report.creatives.contains { $0.acceptance(by: profile.id)?.verdict == .refused }
    }
    let checks = report.rules.filter { rule in
      report.creatives.contains { $0.findings.contains { $0.check == rule.id } }
    }
    choice("refused", "Refused by", [("", "no filter")] + refusing.map { ($0.id, $0.title) })
    choice("check", "Check", [("", "all")] + checks.map { ($0.id, $0.title) })
    choice(
      "order", "Sort",
      [("given", "as given"), ("worst", "worst first"), ("findings", "most findings"), ("name", "by name")])
    choice(
      "group", "Group",
      [
        ("none", "no groups"), ("status", "by verdict"), ("check", "by check"), ("network", "by network"),
        ("folder", "by folder"), ("device", "by device"),
      ])
    chip("checkbox", "screen", " whole screen", false)
    chip("radio", "view", " screenshots", true, value: "wall")
    chip("radio", "view", " table", false, value: "table")
  }

  private func choice(_ name: String, _ label: String, _ options: [(value: String, label: String)]) -> Node {
    element("label") {
      "\(label) "
      element("select", ["name": name]) {
        for option in options { element("option", ["value": option.value]) { option.label } }
      }
    }
  }

  private func chip(
    _ type: String, _ name: String, _ label: String, _ isChecked: Bool, value: String? = nil
  ) -> Node {
    element("label", ["class": "chip"]) {
      element("input", ["type": type, "name": name, "value": value, "checked": isChecked ? "checked" : nil])
      label
    }
  }
}
