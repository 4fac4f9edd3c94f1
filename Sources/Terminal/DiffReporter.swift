package import Comparison
package import Core
internal import Files
internal import FoundationEssentials
internal import Pixels
internal import RenderModel

/// Prints a report as readable text or as one JSON document.
package struct DiffReporter {
  private let output: OutputOptions
  private let console: Console

  package init(output: OutputOptions, console: Console) { (self.output, self.console) = (output, console) }

  package func printMessage(_ report: DiffReport) throws(Fault) {
    if output.json {
      let document = DiffDocument(
        first: report.first, second: report.second, results: report.results, exitCode: report.status.rawValue)
      return try console.printMessage(document: document)
    }
    let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
    try console.printMessage(DiffText(palette: palette, showsSame: !output.quiet).of(report))
  }
}

/// All results of one `galley diff`.
package struct DiffReport {
  let first: String
  let second: String
  let results: [ResultVerdict]
  /// Folder of the diff pictures; nil if they weren't requested.
  let pictures: String?

  package init(first: String, second: String, results: [ResultVerdict], pictures: String? = nil) {
    (self.first, self.second, self.results, self.pictures) = (first, second, results, pictures)
  }

  package var status: ExitStatus { results.allSatisfy { $0.verdict == .same } ? .pass : .findings }
}

/// Report as lines: one for each result and picture, followed by the differences of the logs.
struct DiffText {
  let palette: Palette
  let showsSame: Bool
  /// Maximum number of findings of a log, and of changed addresses, that are printed; the document has all of them.
  private static let most = 20

  func of(_ report: DiffReport) -> String {
    let results = report.results.filter { showsSame || $0.verdict != .same }
    let lines = results.flatMap(lines)
    let different = report.results.count { $0.verdict != .same }
    let total = report.results.count
    let summary = total == 1 ? [] : ["", "\(total) results: \(total - different) the same, \(different) different"]
    let isShown = report.results.contains { $0.pictures.contains { !$0.written.isEmpty } }
    let pictures = isShown ? report.pictures.map { ["images: \($0.printable)"] } ?? [] : []
    return (lines + summary + pictures).map { $0 + "\n" }.joined()
  }

  private func lines(_ result: ResultVerdict) -> [String] {
    let hasHeading = !result.name.isEmpty
    let indent = hasHeading ? "  " : ""
    var lines = hasHeading ? ["\(result.name.printable)  \(word(result.verdict))"] : []
    let pictures = result.pictures.filter { showsSame || $0.verdict != .same }
    let width = pictures.map(\.name.printable.count).max() ?? 0
    for screenshot in pictures {
      lines.append(
        indent + "\(screenshot.name.printable.padded(to: width))  \(word(screenshot.verdict))  \(facts(screenshot))")
    }
    lines += result.record.map { "\(indent)\($0.member): \($0.first.printable) → \($0.second.printable)" }
    if let changes = result.files?.changes, !changes.isEmpty {
      let rest = changes.flatMap(\.lines).dropFirst(Self.most).count
      lines.append(indent + "\(palette.error("files changed:")) \(FileComparison.text(changes).printable)")
      lines += changes.flatMap(\.lines).prefix(Self.most).map { "\(indent)  \($0.printable)" }
      if rest > 0 { lines.append("\(indent)  and \(rest) more") }
    }
    lines += result.problems.map { indent + palette.error($0.printable) }
    if let events = result.events { lines += self.lines(events).map { indent + $0 } }
    return lines.map(Self.trimmed)
  }

  private func lines(_ events: EventComparison) -> [String] {
    guard !events.findings.isEmpty else { return showsSame ? ["\(events.secondCount) events  \(word(.same))"] : [] }
    let counts = EventFinding.Change.allCases.compactMap { change in
      let count = events.count(change)
      return count == 0 ? nil : "\(count) \(change.rawValue)"
    }
    let rest = events.findings.count - Self.most
    return ["\(events.secondCount) events  \(word(.different))  \(counts.joined(separator: ", "))"]
      + events.findings.prefix(Self.most).map { "  " + $0.text.printable }
      + (rest > 0 ? ["  and \(rest) more"] : [])
  }

  private func facts(_ screenshot: ScreenshotVerdict) -> String {
    guard let difference = screenshot.difference else { return screenshot.problem?.printable ?? "" }
    var facts: [String] = []
    if difference.sizesDiffer { facts.append("\(Self.text(difference.first)) → \(Self.text(difference.second))") }
    if difference.differingCount > 0 {
      facts.append("\(difference.differingCount) pixels (\(Self.percent(difference.ratio)))")
      let regions = difference.regions.count { $0.shift == nil }
      if let box = difference.box {
        facts.append("\(regions) \(regions == 1 ? "region" : "regions") in \(Self.text(box))")
      }
    }
    if let densest = difference.densest { facts.append("densest \(densest.differing) in \(Self.text(densest.box))") }
    if difference.antialiasedCount > 0 { facts.append("\(difference.antialiasedCount) anti-aliased") }
    if difference.shiftedCount > 0 { facts.append("\(difference.shiftedCount) moved") }
    if let problem = screenshot.problem { facts.append(problem.printable) }
    return facts.joined(separator: ", ")
  }

  private func word(_ verdict: Verdict) -> String {
    verdict == .same ? palette.text("same", for: .completed) : palette.error(verdict.rawValue)
  }

  private static func text(_ size: PixelSize) -> String { "\(size.width)×\(size.height)" }
  private static func text(_ box: PixelRect) -> String { "\(box.width)×\(box.height) at \(box.x),\(box.y)" }

  /// Returns a ratio as text, such as `0.12 %`; a small ratio is `<0.01 %` and never zero.
  private static func percent(_ ratio: Double) -> String {
    let hundredths = Bounded.int(ratio * 10_000, in: 0...1_000_000)
    if hundredths == 0 { return "<0.01 %" }
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) %"
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}

/// Page file, which is written completely or not at all.
package struct DiffPageFile {
  private let path: String

  package init(path: String) { self.path = path }

  package func write(_ page: DiffPage) throws(Fault) { try write { sink throws(Fault) in try page.write(to: sink) } }

  package func write(_ page: VariedPage) throws(Fault) { try write { sink throws(Fault) in try page.write(to: sink) } }

  private func write(_ work: (DiffPage.Sink) throws(Fault) -> Void) throws(Fault) {
    let file = try told { () throws(SystemError) in try OutputFile(path) }
    try work { text throws(Fault) in try told { () throws(SystemError) in try file.write(text.utf8) } }
    try told { () throws(SystemError) in try file.finish() }
  }

  /// Runs `work` and throws its system error as a fault that names the file.
  private func told<Value>(_ work: () throws(SystemError) -> Value) throws(Fault) -> Value {
    do throws(SystemError) { return try work() } catch { throw .writing(path, error, isNamed: true) }
  }
}
