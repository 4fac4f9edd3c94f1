internal import Checks
internal import Core
internal import MRAID
internal import RenderModel

/// Section with all details of one creative.
struct CreativeSection {
  let creative: CreativeReport
  let number: Int
  let page: ReportPage

  var id: String { "c\(number)" }

  var node: Node {
    let files = ResultFiles(source: page.source, creative: creative)
    let (events, map, measurements) = (files.events, files.stateMap, files.measurements)
    let strip = PictureStrip(creative, id: id, page: page)
    let requests = NetworkRequest.all(measurements, events)
    let timeline = Timeline(
      record: creative.record, events: events, requests: requests, measurements: measurements)
    return element("details", attributes) {
      element("summary") {
        element("h2") { creative.name }
        if page.isJudged { Badge.status(creative.status) }
      }
      facts
      Filmstrip(creative: creative, strip: strip, map: map, id: id, page: page).node
      if page.isJudged { FindingsSection(creative: creative, id: id, strip: strip, page: page).node }
      StateSection(creative: creative, map: map, page: page, id: id).node
      StepsSection(creative: creative, events: events, timeline: timeline, strip: strip, id: id).node
      TimelineSection(creative: creative, events: events, timeline: timeline, id: id, strip: strip).node
      WaterfallSection(requests: requests, name: creative.name).node
      PartiesSection(requests: requests, events: events, name: creative.name).node
      if let measurements { LoadSection(measurements: measurements, name: creative.name).node }
    }
  }

  private var attributes: KeyValuePairs<String, String?> {
    [
      "class": "creative", "id": id, "data-status": creative.status.rawValue,
      "open": page.isOpen(creative, number: number) ? "open" : nil,
    ]
  }

  private var facts: Node {
    let record = creative.record
    let device =
      "\(record.device.name), \(NumberText.tenths(record.device.width))×\(NumberText.tenths(record.device.height))"
    let placement = record.placement.map {
      "\($0.kind.rawValue) \(NumberText.tenths($0.width))×\(NumberText.tenths($0.height))"
    }
    let engine = record.engine.map { "WebKitGTK \($0.webkit)" }
    let total = record.timings["total"].map { "rendered in \(NumberText.tenths($0 / 1000)) s" }
    let parts = [record.creative.path, device, placement, record.container, engine, total].compactMap(\.self)
    return element("div", ["class": "facts"]) {
      element("p") {
        parts.joined(separator: " · ")
        " · "
        element("a", ["href": "#\(id)"]) { "link" }
      }
      if let message = record.message { element("p", ["class": "message"]) { message } }
      for assumed in record.assumed { element("p", ["class": "message"]) { assumed } }
      for warning in record.warnings { element("p", ["class": "message"]) { warning } }
    }
  }
}
