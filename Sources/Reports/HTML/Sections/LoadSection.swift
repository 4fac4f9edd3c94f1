internal import Jobs

/// How much is loaded by each of the instants that networks measure at, and what is left of Chrome's budget.
struct LoadSection {
  let measurements: Measurements

  var node: Node {
    element("section", ["class": "load", "aria-label": "Load"]) {
      element("h3") { "Load and budget" }
      element("div", ["class": "scrolls", "tabindex": "0"]) {
        element("table") {
          head(["Initial load ends at", "Time", "Initial", "Compressed", "Requests", "Later"])
          element("tbody") { for boundary in measurements.load { row(boundary) } }
        }
        element("table") {
          head(["Chrome's heavy-ad limits", "Used", "Limit", "Headroom"])
          element("tbody") {
            row("network", measurements.heavyAd.network, unit: "B")
            row("processor, in all", measurements.heavyAd.processor, unit: "s")
            row("processor, busiest 30 s", measurements.heavyAd.busiest, unit: "s")
          }
        }
      }
    }
  }

  private func head(_ words: [String]) -> Node {
    element("thead") { element("tr") { for word in words { element("th", ["scope": "col"]) { word } } } }
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
        Quantity(share.headroom, unit: "%").text,
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
  /// For readers.
  fileprivate var told: String {
    switch self {
    case .domContentLoaded: "DOMContentLoaded"
    case .domContentLoadedAndOneSecond: "DOMContentLoaded and 1 s"
    case .windowLoad: "window load"
    case .complete: "readyState complete"
    }
  }
}
