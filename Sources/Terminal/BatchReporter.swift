package import Application
package import Core
internal import Exploration
internal import FoundationEssentials
internal import RenderModel
package import Workers

/// Tells how a batch goes: each result when it comes, live lines below for a terminal, or a JSON document at the end.
package struct BatchReporter {
  private let plan: BatchPlan
  private let output: OutputOptions
  private let console: Console
  private let errors: Console
  private let table: ResultTable
  private let start = ContinuousClock.now
  private var live: LiveLines?

  package init(
    plan: BatchPlan, output: OutputOptions, console: Console, errors: Console,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.plan = plan
    self.output = output
    self.console = console
    self.errors = errors
    table = ResultTable(
      palette: Palette(isTerminal: console.isTerminal, environment: environment), names: plan.items.map(\.name))
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
    for item in plan.items {
      if case .refused(let record) = item.work { printResult(ResultRow(name: item.name, record: record)) }
    }
  }

  package mutating func handleProgress(_ event: PoolEvent) {
    if case .finished(let job, let record) = event, !output.json {
      if let text = live?.erase() { errors.write(text) }
      printResult(ResultRow(name: plan.items[job].name, record: record))
    }
    let (width, elapsed) = (errors.width, start.duration(to: .now))
    if live?.handleProgress(event) == true, let text = live?.redraw(width: width, elapsed: elapsed) {
      errors.write(text)
    }
  }

  /// Sums up, and says where the pictures are; throws when that can't be written.
  package mutating func end(_ result: BatchResult) throws(Fault) {
    if let text = live?.erase() { errors.write(text) }
    if output.json { return try console.printMessage(document: BatchDocument(result)) }
    printCutShort(result)
    guard !output.quiet else { return }
    if result.status == .interrupted { errors.write("interrupted\n") }
    try console.printMessage("\n" + BatchSummary(result, plan: plan).text)
  }

  private func printResult(_ row: ResultRow) {
    guard !output.json else { return }
    if !output.quiet {
      console.write(table.text(row))
    } else if let fault = row.fault {
      errors.write("\(row.name): \(fault)\n")
    }
  }

  /// What a signal ended before anything came of it.
  private func printCutShort(_ result: BatchResult) {
    guard result.interrupted, output.quiet || console.isTerminal else { return }
    for (item, record) in zip(plan.items, result.records) {
      if case .render = item.work, record.code == RenderRecord.cancelledCode {
        printResult(ResultRow(name: item.name, record: record))
      }
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
