package import Comparison
package import Core
internal import FoundationEssentials
internal import MRAID
internal import RenderModel

/// Prints the comparison of containers as readable text or as one JSON document.
package struct ContainerReporter {
  private let output: OutputOptions
  private let out: String
  private let console: Console

  package init(output: OutputOptions, out: String, console: Console = .output) {
    (self.output, self.out, self.console) = (output, out, console)
  }

  /// Returns a page with the results in each container.
  package func page(_ verdicts: [ContainerVerdict]) -> VariedPage {
    let text = ContainerText(palette: Palette(isTerminal: false, environment: [:]), showsSame: true)
    return VariedPage(
      title: "Creatives in several containers",
      sections: verdicts.map { verdict in
        VariedPage.Section(
          name: verdict.name, table: text.table(verdict), notes: text.notes(verdict),
          pictures: verdict.runs.compactMap { run in
            LastPicture.of(run.record, in: "\(out)/\(run.folder)").map { (run.container, $0) }
          })
      })
  }

  package func printMessage(_ verdicts: [ContainerVerdict], status: ExitStatus) throws(Fault) {
    if output.json {
      return try console.printMessage(document: ContainersDocument(verdicts, exitCode: status.rawValue))
    }
    let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
    let text = ContainerText(palette: palette, showsSame: !output.quiet).of(verdicts)
    let sizes = output.quiet ? "" : AssumedSize(verdicts.compactMap { $0.runs.first?.record }).text
    try console.printMessage(text + "\n\(sizes)results: \(out.printable)\n")
  }
}

/// Creatives in containers as lines: a table for each creative, followed by each container's differences.
struct ContainerText {
  let palette: Palette
  let showsSame: Bool
  /// Maximum number of findings of a container that are printed; the document has all of them.
  private static let most = 12
  /// Maximum for a render that ended early, in which most lost events merely weren't reached.
  private static let mostOfFailed = 4
  private static let mostScreenshots = 4

  func of(_ verdicts: [ContainerVerdict]) -> String {
    verdicts.map { lines($0).map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private func lines(_ verdict: ContainerVerdict) -> [String] {
    let title = verdict.name.printable
    if let refusal = verdict.refusal {
      let fault = ResultRow(name: verdict.name, record: refusal).fault ?? ""
      return [title, "  " + palette.error(fault)]
    }
    let shown = verdict.runs.filter { showsSame || $0.comparison?.verdict != .same }
    let rows = [["CONTAINER", "STATES", "EVENTS", "PICTURES"]] + shown.map(row)
    let table = TextTable.lines(rows).map { "  " + $0 }
    return [title] + table + shown.flatMap(details)
  }

  /// Returns a row for each container, with the heads first; empty for a creative that couldn't be opened.
  func table(_ verdict: ContainerVerdict) -> [[String]] {
    verdict.refusal == nil ? [["CONTAINER", "STATES", "EVENTS", "PICTURES"]] + verdict.runs.map(row) : []
  }

  /// Returns the differences of the containers, or the reason why there are no results.
  func notes(_ verdict: ContainerVerdict) -> [String] {
    if let refusal = verdict.refusal { return [ResultRow(name: verdict.name, record: refusal).fault ?? ""] }
    return verdict.runs.flatMap { run in
      details(run).dropFirst().map { "\(run.container.printable): \($0.drop { $0 == " " })" }
    }
  }

  private func row(_ run: ContainerVerdict.Run) -> [String] {
    let record = run.record
    let states = record.states.isEmpty ? "–" : record.states.map(\.rawValue).joined(separator: " → ")
    let ending = record.outcome == .completed ? "" : " (\(record.outcome.rawValue))"
    guard let comparison = run.comparison else {
      return [run.container.printable, states + ending, "\(record.eventCount)", "\(record.screenshots.count)"]
    }
    return [run.container.printable, states + ending, events(comparison.events), pictures(comparison.pictures)]
  }

  private func events(_ events: EventComparison?) -> String {
    guard let events else { return "–" }
    let counts = EventFinding.Change.allCases.compactMap { change in
      let count = events.count(change)
      return count == 0 ? nil : "\(count) \(change.rawValue)"
    }
    return counts.isEmpty ? "same" : counts.joined(separator: ", ")
  }

  private func pictures(_ pictures: [ScreenshotVerdict]) -> String {
    let counts = [Verdict.different, .missing, .new, .unreadable].compactMap { verdict in
      let count = pictures.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(verdict.rawValue)"
    }
    return counts.isEmpty ? "same" : counts.joined(separator: ", ")
  }

  /// Returns the lines with a container's differences; empty if there are none.
  private func details(_ run: ContainerVerdict.Run) -> [String] {
    let fault = ResultRow(name: "", record: run.record).fault.map { ["    " + palette.error($0)] } ?? []
    guard let comparison = run.comparison, comparison.verdict != .same else {
      return fault.isEmpty ? [] : ["  \(run.container.printable)"] + fault
    }
    let findings = comparison.events?.findings ?? []
    let most = run.record.outcome == .completed ? Self.most : Self.mostOfFailed
    let pictures = comparison.pictures.filter { $0.verdict != .same }
      .map { "\($0.name.printable) \($0.verdict.rawValue)" }
    let told = Self.first(Self.mostScreenshots, of: pictures)
    return ["  \(run.container.printable)"] + fault
      + comparison.problems.map { "    " + palette.error($0.printable) }
      + Self.first(most, of: findings.map(\.text.printable)).map { "    " + $0 }
      + (pictures.isEmpty ? [] : ["    screenshots: " + told.joined(separator: ", ")])
  }

  /// Returns the first few texts, and the number of the remaining ones.
  private static func first(_ most: Int, of texts: [String]) -> [String] {
    texts.prefix(most) + (texts.count > most ? ["and \(texts.count - most) more"] : [])
  }
}
