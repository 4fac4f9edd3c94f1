internal import Checks
internal import Jobs

/// The page's parts, from the verdict on top to the last creative.
struct ReportPage {
  let source: ReportSource
  let album: PictureAlbum

  var report: CheckReport { source.report }
  var tally: Tally { Tally(report) }

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
