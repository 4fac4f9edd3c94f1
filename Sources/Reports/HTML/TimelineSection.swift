internal import Checks
internal import Core
internal import FoundationEssentials
internal import RenderModel

/// Section with the time axis of the render, and the event log beside the picture of the selected time.
struct TimelineSection {
  /// Maximum number of events in the table, since browsers are slow with longer ones; events.ndjson has the rest.
  static let most = 1_500

  let creative: CreativeReport
  let events: [Event]
  let timeline: Timeline
  let id: String
  let strip: PictureStrip

  var node: Node {
    guard !events.isEmpty else { return .empty }
    let findings = Set(creative.findings.compactMap(\.event))
    return element("section", ["class": "timeline", "aria-label": "Timeline of \(creative.name)"]) {
      element("h3") { "Timeline" }
      TimelineDrawing(timeline: timeline, strip: strip).node
      element("div", ["class": creative.record.screenshots.isEmpty ? "alone" : "beside"]) {
        if !creative.record.screenshots.isEmpty { figure }
        element("div", ["class": "log"]) {
          filters
          element("div", ["class": "scrolls", "tabindex": "0", "role": "group", "aria-label": "Event log"]) {
            table(findings)
          }
        }
      }
      if events.count > Self.most {
        element("p", ["class": "empty"]) { "\(events.count - Self.most) more events are in events.ndjson." }
      }
    }
  }

  /// Figure that the page's script fills.
  private var figure: Node {
    element("figure", ["class": "now"]) {
      element("img", ["alt": ""])
      element("figcaption")
    }
  }

  private var filters: Node {
    let sources = Event.Source.allCases.filter { source in events.contains { $0.source == source } }
    return element("form", ["class": "filters", "role": "search", "aria-label": "Filter events of \(creative.name)"]) {
      element("label", ["class": "search"]) {
        "Find "
        element("input", ["type": "search", "placeholder": "name or detail"])
      }
      for source in sources {
        element("label", ["class": "chip"]) {
          element("input", ["type": "checkbox", "name": source.rawValue, "checked": "checked"])
          " \(source.rawValue)"
        }
      }
      element("output") { "" }
    }
  }

  private func table(_ findings: Set<Int>) -> Node {
    element("table", ["class": "events"]) {
      element("thead") {
        element("tr") { for head in [ColumnHead.numbers("Time"), .text("Event"), .text("Detail")] { head.node } }
      }
      element("tbody") {
        for event in events.prefix(Self.most) { row(event, isFound: findings.contains(event.seq)) }
      }
    }
  }

  private func row(_ event: Event, isFound: Bool) -> Node {
    element(
      "tr",
      [
        "id": "\(id)-e\(event.seq)", "class": isFound ? "found" : nil, "data-source": event.source.rawValue,
        "data-picture": screenshot(at: event), "data-start": NumberText.tenths(event.t), "tabindex": "-1",
      ]
    ) {
      element("td", ["class": "number"]) { Clock.text(event.t) }
      element("td") {
        element("span", ["class": "source from-\(event.source.rawValue)"]) { event.source.rawValue }
        " \(event.name)"
      }
      element("td", ["class": "detail"]) { EventDetail.text(event.detail) }
    }
  }

  /// Returns the anchor of the last picture of the screen at the time of an event.
  private func screenshot(at event: Event) -> String? {
    timeline.moment(at: event.t).flatMap { strip.id($0.index) }
  }
}

/// Detail of an event on one line.
enum EventDetail {
  private static let longest = 600

  /// Returns the detail in JSON form without the timing, which the time column and the waterfall show.
  static func text(_ detail: JSONValue) -> String {
    var members = detail.object ?? [:]
    members["timing"] = nil
    guard !members.isEmpty else { return "" }
    let parts = members.sorted { $0.key < $1.key }.map { "\($0.key): \(JSONText.plain($0.value) ?? "?")" }
    return ReportText.cut(ReportText.line(parts.joined(separator: ", ")), to: longest)
  }
}
