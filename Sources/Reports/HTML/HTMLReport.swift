internal import Checks
package import Core
package import Pages

/// One HTML file that needs nothing else: no network, no other file, and no script but its own may run in it.
package enum HTMLReport {
  /// The whole page, every picture in it.
  package static func text(_ source: ReportSource) async -> String {
    let page = ReportPage(source: source, album: await ScreenshotAlbum.of(source))
    return String(decoding: Node.document(document(page)), as: UTF8.self)
  }

  /// One render's sections, to stand in another page that has `assets`; without what only a judged one has.
  package static func part(_ source: ReportSource) async -> Markup {
    let page = ReportPage(source: source, album: await ScreenshotAlbum.of(source))
    var bytes: [UInt8] = []
    page.sections.append(to: &bytes)
    return Markup(raw: String(decoding: bytes, as: UTF8.self))
  }

  /// The style and script of those sections, after the look's own; `report.start()` begins.
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

  /// What the look needs for a report's sections.
  private static let parts = [
    PageLook.Part(style: PackageResources.timeline_css, script: PackageResources.timeline_js),
    PageLook.Part(style: PackageResources.report_css, script: PackageResources.report_js),
  ]
}

/// The page's parts, from the verdict on top to the last creative.
struct ReportPage {
  let source: ReportSource
  let album: ScreenshotAlbum

  /// Whether checks were asked for.
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
      element("p") { "Galley \(report.galley)" }
      element("p", ["class": "keys"]) {
        for (key, words) in Self.keys {
          element("kbd") { key }
          " \(words) "
        }
      }
    }
  }

  /// What is told of the creatives: the wall, who accepts what, and each with its pictures, findings and timeline.
  @NodeBuilder var sections: Node {
    if isJudged {
      FilterBar(report: report).node
    }
    if report.creatives.count > 1 { WallSection(report: report, page: self).node }
    if isJudged { OverviewSection(report: report, page: self).node }
    for (index, creative) in report.creatives.enumerated() {
      CreativeSection(creative: creative, number: index + 1, page: self).node
    }
  }

  private static let keys = [
    ("/", "search"), ("j", "next creative"), ("k", "the one before"), ("n", "next that doesn't pass"),
    ("v", "its pictures"),
    ("←", "→ pictures"), ("z", "closer"), ("a", "ad alone"),
  ]

  /// Whether a creative is shown unfolded from the start: a page of hundreds would be slow to read.
  func isOpen(_ creative: CreativeReport, number: Int) -> Bool {
    report.creatives.count <= 3 || (creative.status != .passed && failedBefore(number) < 5)
  }

  private func failedBefore(_ number: Int) -> Int { report.creatives.prefix(number - 1).count { $0.status != .passed } }

  /// The rule that a finding cites.
  func rule(_ id: String) -> CheckReport.Rule? { report.rules.first { $0.id == id } }

  /// Why a network refuses a creative, in the words of its rules.
  func reasons(_ verdict: CreativeReport.Acceptance) -> String {
    verdict.refusedBy.map { rule($0)?.title ?? $0 }.joined(separator: "; ")
  }

  /// The network's name, or its id when the report doesn't tell.
  func profile(_ id: String) -> String { report.profiles.first { $0.id == id }?.title ?? id }
}

/// Small labels with a colour of their own.
enum Badge {
  static func status(_ status: CreativeReport.Status) -> Node {
    element("span", ["class": "badge \(status.rawValue)"]) { status.told }
  }

  /// Of a render that nobody judged.
  static func outcome(_ status: CreativeReport.Status) -> Node {
    element("span", ["class": "badge \(status.rawValue)"]) { status == .passed ? "rendered" : status.told }
  }

  static func severity(_ severity: Severity) -> Node {
    element("span", ["class": "badge \(severity.rawValue)"]) { severity.rawValue }
  }

  /// A folded part with what there is inside of it.
  static func folded(_ title: String, kind: String, @NodeBuilder _ content: () -> Node) -> Node {
    element("details", ["class": kind]) {
      element("summary") { title }
      content()
    }
  }
}

/// Moments of a render, for readers.
enum Clock {
  /// `1.24 s`
  static func text(_ milliseconds: Double) -> String {
    let hundredths = Bounded.int(milliseconds / 10, in: 0...9_000_000_000_000_000)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }
}
