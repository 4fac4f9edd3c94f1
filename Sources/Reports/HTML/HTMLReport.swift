internal import Checks
package import Core
package import Pages

/// Self-contained HTML file: it needs no network and no other file, and only its own script may run in it.
package enum HTMLReport {
  /// Returns the whole page with all its pictures.
  package static func text(_ source: ReportSource) async -> String {
    let source = source.failuresFirst
    let page = ReportPage(source: source, album: await ScreenshotAlbum.of(source))
    return String(decoding: Node.document(document(page)), as: UTF8.self)
  }

  /// Returns one render's sections for another page that has `assets`, without those of judged renders.
  package static func part(_ source: ReportSource) async -> Markup {
    let page = ReportPage(source: source, album: await ScreenshotAlbum.of(source))
    var bytes: [UInt8] = []
    page.sections.append(to: &bytes)
    return Markup(raw: String(decoding: bytes, as: UTF8.self))
  }

  /// Style and script of these sections, placed after those of the look; `report.start()` starts the script.
  package static var assets: PageLook.Part {
    PageLook.Part(style: parts.flatMap(\.style), script: parts.flatMap(\.script))
  }

  private static func document(_ page: ReportPage) -> Node {
    let start = PageLook.Part(style: [], script: Array("report.start();\n".utf8))
    let document = PageDocument(title: "Galley: \(page.tally.headline)", parts: parts + [start])
    return element("html", ["lang": "en"]) {
      element("head") { Node.raw(document.head.text) }
      element("body") {
        page.body
        Node.raw(document.foot.text)
      }
    }
  }

  /// Parts that a report's sections need in addition to the look.
  private static let parts = [
    PageLook.Part(style: PackageResources.timeline_css, script: PackageResources.timeline_js),
    PageLook.Part(style: PackageResources.report_css, script: PackageResources.report_js),
  ]
}

/// Sections of the page, from the verdict at the top to the last creative.
struct ReportPage {
  let source: ReportSource
  let album: ScreenshotAlbum

  /// Indicates if checks were run.
  var isJudged: Bool { source.isJudged }
  private var report: CheckReport { source.report }
  var tally: VerdictCounts { VerdictCounts(report, isJudged: isJudged) }

  @NodeBuilder var body: Node {
    element("a", ["class": "skip", "href": "#main"]) { "Skip to the content" }
    VerdictSection(tally: tally, report: report).node
    element("main", ["id": "main", "tabindex": "-1"]) {
      sections
      if report.creatives.isEmpty { element("p", ["class": "empty"]) { "No creative was checked." } }
    }
    element("footer") {
      element("p") { "Galley \(report.galley)\(report.policy.map { ", policy: \($0.text)" } ?? "")" }
      element("p", ["class": "keys"]) {
        for (key, words) in Self.keys {
          element("kbd") { key }
          " \(words) "
        }
      }
    }
  }

  /// Sections on the creatives: answers to builds, the wall, the acceptance matrix, and each creative with its details.
  @NodeBuilder var sections: Node {
    if isJudged {
      PlayableSection(matrix: PlayableMatrix(report), page: self).node
      FilterBar(report: report).node
    }
    if report.creatives.count > 1 { WallSection(report: report, page: self).node }
    if isJudged { OverviewSection(report: report, page: self).node }
    for (index, creative) in report.creatives.enumerated() {
      CreativeSection(creative: creative, number: index + 1, page: self).node
    }
  }

  private static let keys = [
    ("/", "search"), ("j", "next creative"), ("k", "previous creative"), ("n", "next that doesn't pass"),
    ("v", "screenshots"),
    ("←", "→ screenshots"), ("z", "zoom"), ("a", "ad only"),
  ]

  /// Returns true if a creative is expanded from the start; only a few are, as a page of hundreds would be slow.
  func isOpen(_ creative: CreativeReport, number: Int) -> Bool {
    report.creatives.count <= 3 || (creative.status != .passed && failedBefore(number) < 5)
  }

  private func failedBefore(_ number: Int) -> Int { report.creatives.prefix(number - 1).count { $0.status != .passed } }

  /// Returns the rule that a finding cites; nil if the report doesn't have it.
  func rule(_ id: String) -> CheckReport.Rule? { report.rules.first { $0.id == id } }

  /// Returns the reasons for which a network refuses a creative, or the rules that weren't tried; nil if it accepts.
  func reasons(_ row: CreativeReport.Acceptance) -> String? {
    switch row.verdict {
    case .accepted: nil
    case .refused: row.refusedBy.map { rule($0)?.title ?? $0 }.joined(separator: "; ")
    case .notTried: row.notTriedText
    }
  }

  /// Returns the network's name, or its id if the report doesn't have the name.
  func profile(_ id: String) -> String { report.profiles.first { $0.id == id }?.title ?? id }
}

/// Small coloured labels.
enum Badge {
  static func status(_ status: CreativeReport.Status) -> Node {
    element("span", ["class": "badge \(status.rawValue)"]) { status.told }
  }

  /// Returns the label of a render without verdict.
  static func outcome(_ status: CreativeReport.Status) -> Node {
    element("span", ["class": "badge \(status.rawValue)"]) { status == .passed ? "rendered" : status.told }
  }

  static func severity(_ severity: Severity) -> Node {
    element("span", ["class": "badge \(severity.rawValue)"]) { severity.rawValue }
  }

  /// Returns a folded part with its title and content.
  static func folded(_ title: String, kind: String, @NodeBuilder _ content: () -> Node) -> Node {
    element("details", ["class": kind]) {
      element("summary") { title }
      content()
    }
  }
}

/// Times of a render as readable text.
enum Clock {
  /// Returns a time as text, such as `1.24 s`.
  static func text(_ milliseconds: Double) -> String {
    let hundredths = Bounded.int(milliseconds / 10, in: 0...9_000_000_000_000_000)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }
}
