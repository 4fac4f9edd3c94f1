package import Application
package import Core
internal import Exploration
internal import FoundationEssentials
internal import RenderModel
package import Workers

/// Prints a batch: each result as it comes, with live lines below on a terminal, or a JSON document at the end.
package struct BatchReporter {
  private let plan: BatchPlan
  private let output: OutputOptions
  private let console: Console
  private let errors: Console
  private let table: ResultTable
  private let start = ContinuousClock.now
  private var live: LiveLines?
  private var endings: EndingLines?

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
    // A document comes at the end; lines of results come on their own.
    if output.json, !output.quiet, !errors.isTerminal { endings = EndingLines(total: plan.jobs.count) }
  }

  /// Prints the plan's remark and the refused creatives before the renders begin.
  package func begin() {
    if !output.quiet, let remark = plan.remark { errors.write(remark) }
    for item in plan.items {
      if case .refused(let record) = item.work { printResult(ResultRow(name: item.name, record: record)) }
    }
  }

  package mutating func handleProgress(_ event: PoolEvent) {
    if case .finished(let job, let record) = event, !output.json {
      if let text = live?.erase() { errors.write(text) }
      printResult(ResultRow(name: plan.items[job].name, record: record))
    }
    if case .finished(let job, let record) = event {
      let name = plan.items[job].name
      if let text = endings?.line(name, record) { errors.write(text) }
    }
    let (width, elapsed) = (errors.width, start.duration(to: .now))
    if live?.handleProgress(event) == true, let text = live?.redraw(width: width, elapsed: elapsed) {
      errors.write(text)
    }
  }

  /// Prints the summary and the paths of the screenshots, or the JSON document; throws if it can't be written.
  package mutating func end(_ result: BatchResult) throws(Fault) {
    if let text = live?.erase() { errors.write(text) }
    if output.json { return try console.printMessage(document: BatchDocument(result)) }
    printCutShort(result)
    guard !output.quiet else { return }
    if result.status == .interrupted { errors.write(Interrupted.text(result.records)) }
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

  /// Prints the creatives whose render a signal cancelled.
  private func printCutShort(_ result: BatchResult) {
    guard result.interrupted, output.quiet || console.isTerminal else { return }
    for (item, record) in zip(plan.items, result.records) {
      if case .render = item.work, record.code == RenderRecord.cancelledCode {
        printResult(ResultRow(name: item.name, record: record))
      }
    }
  }
}

/// Output of `galley render --json`.
struct BatchDocument: Encodable {
  /// Number of results by outcome; the numbers add up to `total`.
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
  /// Records in the order of the arguments.
  private let results: [RenderRecord]
  /// Results of `--explore` in the same order.
  ///
  /// Absent without `--explore`, and without entries for creatives that couldn't be rendered.
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
