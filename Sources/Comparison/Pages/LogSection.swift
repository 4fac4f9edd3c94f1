/// What two event logs say differently.
struct LogSection {
  private let events: EventComparison
  /// The most findings listed; `--json` has all.
  private static let most = 500

  init(_ events: EventComparison) { self.events = events }

  var html: String {
    guard !events.findings.isEmpty else { return "" }
    let counts = EventFinding.Change.allCases.compactMap { change in
      let count = events.count(change)
      return count == 0 ? nil : "\(count) \(change.rawValue)"
    }
    let items = events.findings.prefix(Self.most).map { finding in
      "<li class=\"\(finding.change.rawValue)\">\(DiffPage.text(finding.text))</li>\n"
    }
    let rest = events.findings.count - Self.most
    return """
      <article class="log"><h3>Event log</h3>
      <p>\(events.firstCount) → \(events.secondCount) events, \(counts.joined(separator: ", "))</p>
      <ol>
      \(items.joined())</ol>\(rest > 0 ? "<p class=\"faint\">and \(rest) more</p>" : "")</article>

      """
  }
}
