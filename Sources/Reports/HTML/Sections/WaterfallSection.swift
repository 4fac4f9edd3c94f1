internal import Core

/// The requests over time.
struct WaterfallSection {
  static let most = 500

  let requests: [NetworkRequest]

  var node: Node {
    guard !requests.isEmpty else { return .empty }
    let bytes = requests.reduce(0) { Bounded.sum($0, max(0, $1.bytes)) }
    let count = "\(requests.count) \(requests.count == 1 ? "request" : "requests")"
    return element("section", ["class": "waterfall", "aria-label": "Network"]) {
      element("h3") { "Network: \(count), \(Quantity(Double(bytes), unit: "B").text)" }
      element("div", ["class": "scrolls", "tabindex": "0"]) {
        element("table") {
          element("thead") {
            element("tr") {
              for head in ["Address", "Status", "Type", "Size", "\(Clock.text(begin)) to \(Clock.text(begin + span))"] {
                element("th", ["scope": "col"]) { head }
              }
            }
          }
          element("tbody") { for request in requests.prefix(Self.most) { row(request) } }
        }
      }
      if requests.count > Self.most { element("p", ["class": "empty"]) { "\(requests.count - Self.most) more." } }
    }
  }

  /// What came before the first request is the engine's start, and would push the rest into a corner.
  private var begin: Double { requests.map(\.start).min() ?? 0 }
  private var span: Double { max(1, (requests.map(\.end).max() ?? 1) - begin) }

  private func row(_ request: NetworkRequest) -> Node {
    element("tr", ["class": request.failure == nil && request.status < 400 ? nil : "bad"]) {
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
