internal import Checks
internal import Jobs

/// The requests of one creative.
struct HARRecording {
  let page: HARDocument.Page
  let entries: [HAREntry]

  init(_ creative: CreativeReport, source: ReportSource) {
    let files = ResultFiles(source: source, creative: creative)
    let began = files.began
    let events = files.events
    let measurements = files.measurements
    let reached = { (kind: LoadBoundary.Kind) in measurements?.load.first { $0.kind == kind }?.t }
    let loaded = reached(.windowLoad) ?? events.first { $0.source == .page && $0.name == "loadFinished" }?.t
    page = HARDocument.Page(
      startedDateTime: FileDate.text(milliseconds: began), id: creative.name, title: creative.name,
      pageTimings: HARDocument.PageTimings(onContentLoad: reached(.domContentLoaded) ?? -1, onLoad: loaded ?? -1),
      creative: creative.creativePath, device: creative.record.device.name)
    entries = NetworkRequest.all(measurements, events).map { HAREntry($0, page: creative.name, began: began) }
  }
}
