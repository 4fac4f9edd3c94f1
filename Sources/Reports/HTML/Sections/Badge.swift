internal import Checks

/// Small labels with a colour of their own.
enum Badge {
  static func status(_ status: CreativeReport.Status) -> Node {
    element("span", ["class": "badge \(status.rawValue)"]) { status.told }
  }

  static func severity(_ severity: Severity) -> Node {
    element("span", ["class": "badge \(severity.rawValue)"]) { severity.rawValue }
  }

  /// A folded part with what there is inside of it.
  static func folded(_ title: String, kind: String, @NodeBuilder _ content: () -> Node) -> Node {
    element("details", ["class": kind]) {
      element("summary") { title }
      content()
    }
  }
}
