package import Core
internal import Pages
internal import RenderModel

/// HTML page that `--html` writes: self-contained, with both sides of every picture that differs.
package struct DiffPage {
  /// Receives the page piece by piece, since the pictures are too many to be held in memory at once.
  package typealias Sink = (_ text: String) throws(Fault) -> Void

  private let first: String
  private let second: String
  private let results: [ResultVerdict]
  /// Maximum number of picture bytes in the page, before base64; pictures beyond it are only named.
  private let limit: Int
  private let sides: PageSides
  private let lists: [PageList]
  /// Command that approves a result, by the result's name.
  private let commands: [String: String]
  /// Sentence at the top of the page in place of the count of differing results; nil for that count.
  private let summary: String?

  /// Makes the page; `first` and `second` are the sides as the caller wrote them.
  ///
  /// A picture's highlight is read from the path to which it was written.
  package init(
    first: String, second: String, results: [ResultVerdict], limit: Int = 64 << 20, sides: PageSides = PageSides(),
    lists: [PageList] = [], commands: [String: String] = [:], summary: String? = nil
  ) {
    self.summary = summary
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
    let count = results.count == 1 ? "different" : "\(different) of \(results.count) results differ"
    let verdict: Markup =
      different == 0
      ? "<p class=\"good\">the same</p>"
      : "<p class=\"bad\">\(Self.text(summary ?? count))</p>"
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
    var lines: [Markup] = ["<p class=\"\(result.verdict == .new ? "note" : "bad")\">\(result.verdict.rawValue)</p>"]
    lines += result.record.map { "<p>\($0.member): \(Self.text($0.first)) → \(Self.text($0.second))</p>" }
    if let files = result.files, !files.changes.isEmpty { lines.append(FileSection(files).html) }
    lines += result.problems.map { "<p class=\"bad\">\(Self.text($0))</p>" }
    return "\(Markup(joining: lines, separator: "\n"))\n"
  }

  /// Returns untrusted text with its invisible characters shown as codes; the result isn't escaped yet.
  static func text(_ text: String) -> String { MarkupText.revealed(text) }
}

/// Names of the two compared sides on a page.
package struct PageSides: Sendable {
  let first: String
  let second: String

  /// Makes names that stand before the arguments of the call and above pictures.
  package init(first: String = "first", second: String = "second") {
    (self.first, self.second) = (first, second)
  }
}

/// List of names at the top of a page, such as the new creatives.
package struct PageList: Sendable {
  private let title: String
  private let items: [String]

  package init(_ title: String, _ items: [String]) {
    (self.title, self.items) = (title, items)
  }

  /// Markup of the list; empty when there are no items.
  var html: Markup {
    guard !items.isEmpty else { return "" }
    let lines = Markup(joining: items.map { "<li>\(DiffPage.text($0))</li>" }, separator: "\n")
    return "<section class=\"list\"><h2>\(DiffPage.text(title)): \(items.count)</h2><ul>\n\(lines)</ul></section>\n"
  }
}

/// Section of a page about the creative's changed files, with their addresses before and after.
struct FileSection {
  private let files: FileComparison
  /// Maximum number of lines; `--json` has all of them.
  private static let most = 100

  init(_ files: FileComparison) { self.files = files }

  var html: Markup {
    let lines = files.changes.flatMap(\.lines)
    let items = Markup(joining: lines.prefix(Self.most).map { "<li>\(DiffPage.text($0))</li>\n" })
    let more: Markup = lines.count > Self.most ? "<p class=\"faint\">and \(lines.count - Self.most) more</p>" : ""
    let list: Markup = lines.isEmpty ? "" : "<ol>\n\(items)</ol>"
    return """
      <article class="logged"><h3>Files changed</h3>
      <p>\(DiffPage.text(FileComparison.text(files.changes)))</p>
      \(list)\(more)</article>
      """
  }
}

/// Section of a page about the differences between two event logs.
struct LogSection {
  private let events: EventComparison
  /// Maximum number of findings listed; `--json` has all of them.
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
