internal import Checks
internal import Core
internal import MRAID
internal import RenderModel

/// Everything about one creative.
struct CreativeSection {
  let creative: CreativeReport
  let number: Int
  let page: ReportPage

  var id: String { "c\(number)" }

  var node: Node {
    let files = ResultFiles(source: page.source, creative: creative)
    let (events, map, measurements) = (files.events, files.stateMap, files.measurements)
    return element("details", attributes) {
      element("summary") {
        element("h2") { creative.name }
        Badge.status(creative.status)
      }
      facts
      FindingsSection(creative: creative, id: id, page: page).node
      Filmstrip(creative: creative, map: map, id: id, page: page).node
      StateSection(creative: creative, map: map, page: page, id: id).node
      TimelineSection(creative: creative, events: events, id: id, page: page).node
      WaterfallSection(requests: NetworkRequest.all(measurements, events)).node
      if let measurements { LoadSection(measurements: measurements).node }
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
      element("p") { parts.joined(separator: " · ") }
      if let message = record.message { element("p", ["class": "message"]) { message } }
      for warning in record.warnings { element("p", ["class": "message"]) { warning } }
    }
  }
}

/// The pictures in their order, each with its state and time; then one of each state that exploring found.
struct Filmstrip {
  let creative: CreativeReport
  let map: StateMap?
  let id: String
  let page: ReportPage

  var node: Node {
    let shots = creative.record.screenshots
    guard !shots.isEmpty else { return .empty }
    return element("section", ["class": "filmstrip", "aria-label": "Pictures"]) {
      element("h3") { "States" }
      element("div", ["class": "scrolls", "tabindex": "0"]) {
        for (index, shot) in shots.enumerated() {
          figure(
            shot.path, named: shot.name, told: "\(shot.state.rawValue) · \(Clock.text(shot.t))",
            id: "\(id)-p\(index + 1)")
        }
        // The first is where the render itself stood.
        for state in map?.states.dropFirst() ?? [] {
          if let file = state.screenshot {
            figure(file, named: "\(state.number) \(state.name)", told: "explored", id: "\(id)-s\(state.number)")
          }
        }
      }
    }
  }

  private func figure(_ file: String, named name: String, told: String, id: String) -> Node {
    element("figure") {
      if let picture = page.album.picture(file, for: .filmstrip, in: creative, of: page.source) {
        element(
          "img",
          [
            "id": id, "src": picture.address, "width": "\(picture.width)", "height": "\(picture.height)",
            "alt": "\(creative.name), \(name)", "loading": "lazy",
          ])
      } else {
        element("p", ["class": "missing", "id": id]) { "The picture can't be read." }
      }
      element("figcaption") {
        element("b") { name }
        element("span") { told }
      }
    }
  }
}
