package import Application
package import Core
internal import Exploration
internal import FoundationEssentials
internal import RenderModel
package import Workers

/// Tells how a batch goes: live lines for a terminal, a line a result for a pipe, then a table or a JSON document.
package struct BatchReporter {
  private let plan: BatchPlan
  private let output: OutputOptions
  private let console: Console
  private let errors: Console
  private let palette: Palette
  private var live: LiveLines?
  /// Whether each result is told when it comes, rather than in a table at the end.
  private let isStreaming: Bool
  private let streamTable: ResultTable

  package init(
    plan: BatchPlan, output: OutputOptions, console: Console, errors: Console,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.plan = plan
    self.output = output
    self.console = console
    self.errors = errors
    palette = Palette(isTerminal: console.isTerminal, environment: environment)
    isStreaming = !output.json && !output.quiet && !console.isTerminal
    streamTable = ResultTable(palette: palette, names: plan.items.map(\.name))
    if errors.isTerminal, !output.quiet {
      live = LiveLines(names: plan.items.map(\.name), total: plan.jobs.count)
    }
  }

  /// Tells what is known before anything is rendered.
  package func begin() {
    if !output.quiet, !plan.withOwnScenario.isEmpty {
      let names = plan.withOwnScenario.prefix(5).joined(separator: ", ")
      let more = plan.withOwnScenario.count > 5 ? " and \(plan.withOwnScenario.count - 5) more" : ""
      errors.write("playing the scenario beside: \(names.printable)\(more)\n")
    }
    guard isStreaming else { return }
    for item in plan.items {
      if case .refused(let record) = item.work {
        console.write(streamTable.text(ResultRow(name: item.name, record: record)))
      }
    }
  }

  package mutating func handleProgress(_ event: PoolEvent) {
    if isStreaming, case .finished(let job, let record) = event {
      if let text = live?.erase() { errors.write(text) }
      console.write(streamTable.text(ResultRow(name: plan.items[job].name, record: record)))
    }
    if live?.handleProgress(event) == true, let text = live?.redraw(width: errors.width) { errors.write(text) }
  }

  /// Tells the results, where the pictures are and, for `--quiet`, failures only; throws when that can't be written.
  package mutating func end(_ result: BatchResult) throws(Fault) {
    if let text = live?.erase() { errors.write(text) }
    if output.json { return try console.printMessage(document: BatchDocument(result)) }
    let rows = zip(plan.items, result.records).map { ResultRow(name: $0.name, record: $1) }
    if output.quiet { return printFailures(rows) }
    if !isStreaming {
      let table = ResultTable(palette: palette, rows: rows)
      for row in rows { console.write(table.text(row)) }
    }
    if result.status == .interrupted { errors.write("interrupted\n") }
    try console.printMessage("\n" + BatchSummary(result, plan: plan).text)
  }

  private func printFailures(_ rows: [ResultRow]) {
    for row in rows {
      if let fault = row.fault { errors.write("\(row.name): \(fault)\n") }
    }
  }
}

/// What `galley render --json` prints.
struct BatchDocument: Encodable {
  /// How many ended how; the numbers add up to `total`.
  struct Summary: Encodable {
    let total: Int
    let completed: Int
    let failed: Int
    let crashed: Int
    let timedOut: Int
    let exitCode: Int32
    let wallMilliseconds: Int
  }

  /// Galley's version.
  private let galley: String
  /// In the order of the arguments.
  private let results: [RenderRecord]
  /// What `--explore` found, in the same order; absent without it, and of creatives that couldn't be rendered.
  private let explorations: [ExplorationDocument]?
  private let summary: Summary

  init(_ result: BatchResult, explorations: [ExplorationDocument]? = nil) {
    self.explorations = explorations
    galley = Galley.version
    results = result.records
    summary = Summary(
      total: result.records.count, completed: result.count(.completed), failed: result.count(.failed),
      crashed: result.count(.crashed), timedOut: result.count(.timedOut), exitCode: result.status.rawValue,
      wallMilliseconds: Bounded.int(result.wall.milliseconds, in: 0...Int.max))
  }
}
