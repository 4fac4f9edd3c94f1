internal import Core
internal import RenderModel

/// Section on the data loaded by each point in time that networks measure at, and on the rest of Chrome's budget.
struct LoadSection {
  let measurements: Measurements
  let name: String

  var node: Node {
    element("section", ["class": "load", "aria-label": "Load of \(name)"]) {
      element("h3") { "Load and budget" }
      element("div", ["class": "scrolls", "tabindex": "0", "role": "group", "aria-label": "Load and budget"]) {
        element("table") {
          head("Initial load ends at", ["Time", "Initial", "Compressed", "Requests", "Subload"])
          element("tbody") { for boundary in measurements.load { row(boundary) } }
        }
        element("table") {
          head("Chrome's heavy-ad limits", ["Used", "Limit", "Headroom"])
          element("tbody") {
            row("network", measurements.heavyAd.network, unit: "B")
            row("processor, total", measurements.heavyAd.processor, unit: "s")
            row("processor, busiest 30 s", measurements.heavyAd.peakWindow, unit: "s")
          }
        }
      }
    }
  }

  private func head(_ first: String, _ numbers: [String]) -> Node {
    element("thead") {
      element("tr") {
        ColumnHead.text(first).node
        for word in numbers { ColumnHead.numbers(word).node }
      }
    }
  }

  private func row(_ boundary: LoadBoundary) -> Node {
    cells(
      boundary.kind.told,
      [
        boundary.t.map(Clock.text) ?? "never", bytes(boundary.initial.bytes), bytes(boundary.initial.compressed),
        "\(boundary.initial.requests)", bytes(boundary.subload.bytes),
      ])
  }

  private func row(_ what: String, _ share: HeavyAdBudget.Share, unit: String) -> Node {
    cells(
      what,
      [
        Quantity(share.used, unit: unit).text, Quantity(share.limit, unit: unit).text,
        Quantity(share.remaining, unit: "%").text,
      ])
  }

  private func cells(_ what: String, _ numbers: [String]) -> Node {
    element("tr") {
      element("td") { what }
      for number in numbers { element("td", ["class": "number"]) { number } }
    }
  }

  private func bytes(_ count: Int) -> String { Quantity(Double(count), unit: "B").text }
}

extension LoadBoundary.Kind {
  /// Boundary in readable words.
  fileprivate var told: String {
    switch self {
    case .domContentLoaded: "DOMContentLoaded"
    case .domContentLoadedAndOneSecond: "DOMContentLoaded + 1 s"
    case .windowLoad: "window load"
    case .complete: "readyState complete"
    }
  }
}

/// Section with the requests over time.
struct WaterfallSection {
  private static let most = 500

  let requests: [NetworkRequest]
  let name: String

  var node: Node {
    guard !requests.isEmpty else { return .empty }
    let bytes = requests.reduce(0) { Bounded.sum($0, max(0, $1.bytes)) }
    let count = "\(requests.count) \(requests.count == 1 ? "request" : "requests")"
    return element("section", ["class": "waterfall", "aria-label": "Network of \(name)"]) {
      element("h3") { "Network: \(count), \(Quantity(Double(bytes), unit: "B").text)" }
      element("div", ["class": "scrolls", "tabindex": "0", "role": "group", "aria-label": "Requests"]) {
        element("table") {
          element("thead") {
            element("tr") {
              for word in ["Address", "Status", "Type"] { ColumnHead.text(word).node }
              ColumnHead.numbers("Size").node
              ColumnHead.text("\(Clock.text(begin)) to \(Clock.text(begin + span))").node
            }
          }
          element("tbody") { for request in requests.prefix(Self.most) { row(request) } }
        }
      }
      if requests.count > Self.most { element("p", ["class": "empty"]) { "\(requests.count - Self.most) more." } }
    }
  }

  /// Start of the first request, at which the axis begins.
  ///
  /// The engine's start before it would compress the rest of the axis.
  private var begin: Double { requests.map(\.start).min() ?? 0 }
  private var span: Double { max(1, (requests.map(\.end).max() ?? 1) - begin) }

  private func row(_ request: NetworkRequest) -> Node {
    element(
      "tr",
      [
        "class": request.failure == nil && request.status < 400 ? nil : "bad",
        "data-start": NumberText.tenths(request.start), "data-end": NumberText.tenths(request.end),
      ]
    ) {
      element("td", ["class": "address", "title": ReportText.cut(request.url, to: 300)]) {
        ReportText.cut(ReportText.line(request.url), to: 160)
      }
      element("td") { request.failure ?? "\(request.status)" }
      element("td") { request.type }
      element("td", ["class": "number"]) { request.bytes < 0 ? "–" : Quantity(Double(request.bytes), unit: "B").text }
      element("td", ["class": "bars"]) {
        element("svg", ["viewBox": "0 0 1000 10", "preserveAspectRatio": "none", "role": "img"]) {
          element("title") { "\(Clock.text(request.start)) to \(Clock.text(request.end))" }
          bar(request)
        }
      }
    }
  }

  private func bar(_ request: NetworkRequest) -> Node {
    let start = (request.start - begin) / span * 1000
    let width = max(3, (request.end - request.start) / span * 1000)
    return element(
      "rect", ["x": NumberText.tenths(min(start, 997)), "y": "1", "width": NumberText.tenths(width), "height": "8"])
  }
}
