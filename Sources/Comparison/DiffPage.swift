package import Core
internal import Pages
internal import RenderModel

/// What `--html` writes: one page that needs no network, with both sides of every picture that differs.
package struct DiffPage {
  /// Takes the page piece by piece: pictures are too many to be held at once.
  package typealias Sink = (_ text: String) throws(Fault) -> Void

  private let first: String
  private let second: String
  private let results: [ResultVerdict]
  /// Bytes of pictures, before base64; what comes after is only named.
  private let limit: Int
  private let sides: PageSides
  private let lists: [PageList]
  /// What approves a result, by its name.
  private let commands: [String: String]

  /// `first` and `second` as the caller wrote them; a picture's highlight is read from where it was written.
  package init(
    first: String, second: String, results: [ResultVerdict], limit: Int = 64 << 20, sides: PageSides = PageSides(),
    lists: [PageList] = [], commands: [String: String] = [:]
  ) {
    (self.first, self.second, self.results, self.limit) = (first, second, results, limit)
    (self.sides, self.lists, self.commands) = (sides, lists, commands)
  }

  package func write(to sink: Sink) throws(Fault) {
    func put(_ markup: Markup) throws(Fault) { try sink(markup.text) }
    try put(head)
    for list in lists { try put(list.html) }
    var pictures = EmbeddedImages(limit: limit)
    for result in results where result.verdict != .same {
      try put("<section class=\"result\"><h2>\(Self.text(result.name.isEmpty ? second : result.name))</h2>\n")
      try put(facts(of: result))
      if let command = commands[result.name] {
        try put("<p class=\"command\">Approve it: <code>\(Self.text(command))</code></p>\n")
      }
      for screenshot in result.pictures where screenshot.verdict != .same {
        try ScreenshotSection(screenshot, sides: sides).write(&pictures, to: put)
      }
      if let events = result.events { try put(LogSection(events).html) }
      try put("</section>\n")
    }
    let same = results.filter { $0.verdict == .same }.map(\.name)
    if !same.isEmpty, results.count > 1 {
      let items = Markup(joining: same.map { "<li>\(Self.text($0))</li>" })
      try put("<details><summary>\(same.count) the same</summary><ul>\(items)</ul></details>\n")
    }
    try put("</main>\n\(document.foot)\n</body>\n</html>\n")
  }

  private var head: Markup {
    let different = results.count { $0.verdict != .same }
    let verdict: Markup =
      different == 0
      ? "<p class=\"good\">the same</p>"
      : "<p class=\"bad\">\(results.count == 1 ? "different" : "\(different) of \(results.count) results differ")</p>"
    return """
      <!doctype html>
      <html lang="en">
      <head>\(document.head)</head>
      <body class="compared">
      <a class="skip" href="#main">Skip to the content</a>
      <header><h1>Compared by Galley \(Galley.version)</h1>
      <p>\(Self.text(sides.first)): <bdi>\(Self.text(first))</bdi></p>
      <p>\(Self.text(sides.second)): <bdi>\(Self.text(second))</bdi></p>
      \(verdict)</header>
      <main id="main" tabindex="-1">

      """
  }

  private var document: PageDocument {
    PageDocument(
      title: "\(Self.text(first)) and \(Self.text(second)) compared",
      parts: [PageLook.comparison, PageLook.Part(style: [], script: Array("comparison.start();\n".utf8))])
  }

  private func facts(of result: ResultVerdict) -> Markup {
    var lines: [Markup] = ["<p class=\"bad\">\(result.verdict.rawValue)</p>"]
    lines += result.record.map { "<p>\($0.member): \(Self.text($0.first)) → \(Self.text($0.second))</p>" }
    lines += result.problems.map { "<p class=\"bad\">\(Self.text($0))</p>" }
    return "\(Markup(joining: lines, separator: "\n"))\n"
  }

  /// Text of anybody's before it is escaped: nothing in it is unseen.
  static func text(_ text: String) -> String { MarkupText.revealed(text) }
}

/// What a page calls the two sides of what it compares.
package struct PageSides: Sendable {
  let first: String
  let second: String

  /// Words that stand before what the caller wrote, and over pictures.
  package init(first: String = "first", second: String = "second") {
    (self.first, self.second) = (first, second)
  }
}

/// Things a page names at its top, such as what is new.
package struct PageList: Sendable {
  private let title: String
  private let items: [String]

  package init(_ title: String, _ items: [String]) {
    (self.title, self.items) = (title, items)
  }

  /// Nothing when there is nothing to name.
  var html: Markup {
    guard !items.isEmpty else { return "" }
    let lines = Markup(joining: items.map { "<li>\(DiffPage.text($0))</li>" }, separator: "\n")
    return "<section class=\"list\"><h2>\(DiffPage.text(title)): \(items.count)</h2><ul>\n\(lines)</ul></section>\n"
  }
}

/// What two event logs say differently.
struct LogSection {
  private let events: EventComparison
  /// The most findings listed; `--json` has all.
  private static let most = 500

  init(_ events: EventComparison) { self.events = events }

  var html: Markup {
    guard !events.findings.isEmpty else { return "" }
    let counts = EventFinding.Change.allCases.compactMap { change in
      let count = events.count(change)
      return count == 0 ? nil : "\(count) \(change.rawValue)"
    }
    let items = events.findings.prefix(Self.most).map { finding -> Markup in
      "<li class=\"\(finding.change.rawValue)\">\(DiffPage.text(finding.text))</li>\n"
    }
    let rest = events.findings.count - Self.most
    let more: Markup = rest > 0 ? "<p class=\"faint\">and \(rest) more</p>" : ""
    return """
      <article class="logged"><h3>Event log</h3>
      <p>\(events.firstCount) → \(events.secondCount) events, \(counts.joined(separator: ", "))</p>
      <ol>
      \(Markup(joining: items))</ol>\(more)</article>

      """
  }
}
