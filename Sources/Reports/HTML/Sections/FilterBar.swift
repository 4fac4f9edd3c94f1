internal import Checks

/// What of the findings is shown; without script everything is.
struct FilterBar {
  let report: CheckReport

  var node: Node {
    element("form", ["class": "filters findings-filter", "role": "search", "aria-label": "Filter findings"]) {
      element("label", ["class": "search"]) {
        "Find "
        element("input", ["type": "search", "name": "text", "placeholder": "check, message or creative"])
      }
      for severity in Severity.allCases.reversed() {
        element("label", ["class": "chip"]) {
          element("input", ["type": "checkbox", "name": severity.rawValue, "checked": "checked"])
          " \(severity.rawValue)s"
        }
      }
      element("label", ["class": "chip"]) {
        element("input", ["type": "checkbox", "name": "failing"])
        " only creatives that don't pass"
      }
      element("output") { "" }
    }
  }
}
