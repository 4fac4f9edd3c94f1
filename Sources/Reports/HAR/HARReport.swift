internal import Checks
package import Jobs

/// HTTP Archive 1.2: a page a creative, an entry a request; fields of Galley's own start with an underscore.
package enum HARReport {
  /// The whole archive; a result without a log has a page and no entries.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    // Ads of a feed have their requests in the feed's log, which is told once.
    var seen: Set<String> = []
    let creatives = source.report.creatives.filter { $0.folder.isEmpty || seen.insert($0.folder).inserted }
    let recordings = creatives.map { HARRecording($0, source: source) }
    let log = HARDocument.Log(
      creator: HARDocument.Creator(version: source.report.galley), pages: recordings.map(\.page),
      entries: recordings.flatMap(\.entries))
    return try ReportJSON.text(HARDocument(log: log))
  }
}
