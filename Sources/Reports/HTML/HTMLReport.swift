internal import Checks
internal import Core
internal import FoundationEssentials

/// One HTML file that needs nothing else: no network, no other file, and no script but its own may run in it.
package enum HTMLReport {
  /// The whole page, every picture in it.
  package static func text(_ source: ReportSource) async -> String {
    let page = ReportPage(source: source, album: await ScreenshotAlbum.of(source))
    return String(decoding: Node.document(document(page)), as: UTF8.self)
  }

  private static func document(_ page: ReportPage) -> Node {
    element("html", ["lang": "en"]) {
      element("head") {
        element("meta", ["charset": "utf-8"])
        element("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
        element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        element("meta", ["name": "referrer", "content": "no-referrer"])
        element("meta", ["name": "color-scheme", "content": "light dark"])
        element("title") { "Galley: \(page.tally.headline)" }
        element("style") { Node.raw(style) }
      }
      element("body") {
        page.body
        element("script") { Node.raw(script) }
      }
    }
  }

  /// Only this very style and script, and pictures that the page itself carries.
  private static var policy: String {
    "default-src 'none'; img-src data:; style-src '\(hash(style))'; script-src '\(hash(script))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.of(text).bytes).base64EncodedString()
  }

  private static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
  private static let script = String(decoding: PackageResources.report_js, as: UTF8.self)
}

/// The page's parts, from the verdict on top to the last creative.
struct ReportPage {
  let source: ReportSource
  let album: ScreenshotAlbum

  private var report: CheckReport { source.report }
  var tally: VerdictCounts { VerdictCounts(report) }

  @NodeBuilder var body: Node {
    VerdictSection(tally: tally, report: report).node
    element("main") {
      OverviewSection(report: report, page: self).node
      FilterBar(report: report).node
      for (index, creative) in report.creatives.enumerated() {
        CreativeSection(creative: creative, number: index + 1, page: self).node
      }
      if report.creatives.isEmpty { element("p", ["class": "empty"]) { "No creative was checked." } }
    }
    element("footer") { "Galley \(report.galley)" }
    element("dialog", ["id": "enlarged", "aria-label": "Picture"]) {
      element("form", ["method": "dialog"]) { element("button") { "Close" } }
      element("img", ["alt": "the picture in its full size"])
    }
  }

  /// Whether a creative is shown unfolded from the start: a page of hundreds would be slow to read.
  func isOpen(_ creative: CreativeReport, number: Int) -> Bool {
    report.creatives.count <= 3 || (creative.status != .passed && failedBefore(number) < 5)
  }

  private func failedBefore(_ number: Int) -> Int { report.creatives.prefix(number - 1).count { $0.status != .passed } }

  /// The rule that a finding cites.
  func rule(_ id: String) -> CheckReport.Rule? { report.rules.first { $0.id == id } }

  /// The network's name, or its id when the report doesn't tell.
  func profile(_ id: String) -> String { report.profiles.first { $0.id == id }?.title ?? id }
}

/// Small labels with a colour of their own.
enum Badge {
  static func status(_ status: CreativeReport.Status) -> Node {
    element("span", ["class": "badge \(status.rawValue)"]) { status.told }
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
