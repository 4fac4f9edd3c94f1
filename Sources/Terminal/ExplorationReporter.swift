package import Application
package import Core
package import Exploration
internal import FoundationEssentials

/// Prints explorations: live lines on a terminal, followed by a table, graphs and anomalies, or a JSON document.
package struct ExplorationReporter {
  private let plan: BatchPlan
  private let output: OutputOptions
  private let console: Console
  private let errors: Console
  private let palette: Palette
  private var lines: [Int: String] = [:]
  private var drawn = 0

  package init(plan: BatchPlan, output: OutputOptions, console: Console, errors: Console) {
    self.plan = plan
    self.output = output
    self.console = console
    self.errors = errors
    palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
  }

  /// Redraws the line of a creative that is being explored.
  package mutating func handleProgress(_ crawler: Crawler, of item: Int) {
    let states = crawler.states.count
    if !errors.isTerminal, !output.quiet, crawler.isDone {
      errors.write("\(plan.items[item].name.printable)  explored: \(states) states, \(crawler.actions) actions\n")
    }
    guard errors.isTerminal, !output.quiet else { return }
    lines[item] =
      crawler.isDone
      ? nil
      : "  \(plan.items[item].name.printable)  \(states) states, \(crawler.actions) actions".fitted(to: errors.width)
    errors.write(erase() + lines.sorted { $0.key < $1.key }.map { $0.value + "\n" }.joined())
    drawn = lines.count
  }

  /// Prints the results of each creative, in the plan's order.
  package mutating func end(_ result: BatchResult, _ explored: [Int: ExploredCreative]) throws(Fault) {
    if errors.isTerminal, !output.quiet { errors.write(erase()) }
    if output.json {
      let documents = plan.items.indices.compactMap { explored[$0]?.document }
      return try console.printMessage(document: BatchDocument(result, explorations: documents))
    }
    let rows = zip(plan.items, result.records).map { ResultRow(name: $0.name, record: $1) }
    if output.quiet {
      for row in rows { if let fault = row.fault { errors.write("\(row.name): \(fault)\n") } }
      return
    }
    let table = ResultTable(palette: palette, rows: rows)
    for (index, row) in rows.enumerated() {
      let summary = explored[index].map { ExplorationSummary($0.found, folder: folder(of: index)).text }
      try console.printMessage(table.text(row) + (summary.map { $0 + "\n" } ?? ""))
    }
    if result.status == .interrupted { errors.write(Interrupted.text(result.records)) }
    try console.printMessage(BatchSummary(result, plan: plan).facts)
  }

  private func folder(of item: Int) -> String {
    let out = plan.out.hasSuffix("/") ? String(plan.out.dropLast()) : plan.out
    return "\(out)/\(plan.items[item].name)".printable
  }

  private mutating func erase() -> String {
    defer { drawn = 0 }
    return drawn == 0 ? "" : "\u{1B}[\(drawn)A\r\u{1B}[J"
  }
}

/// Exploration of one creative as readable text: counts, the graph, and a line for each anomaly.
struct ExplorationSummary {
  private let found: Exploration
  private let folder: String

  /// Makes the summary; `folder` is the folder of the results as the caller wrote it.
  init(_ found: Exploration, folder: String) {
    self.found = found
    self.folder = folder
  }

  var text: String {
    let graph = StateGraph(found).text.split(separator: "\n").map { "  \($0)\n" }.joined()
    return head + graph + anomalies
      + "  explored: \(folder)/exploration.json, \(Self.count(found.replays.count, "scenario"))".printable + "\n"
  }

  private var head: String {
    let budget = found.cut.map { cut in
      " (limit of --explore-\(cut.rawValue) reached; \(found.states.map(\.untried.count).reduce(0, +)) not tried)"
    }
    let (calls, changes) = (found.coverage.calls, found.coverage.transitions)
    let percent = found.vocabulary == nil ? "" : " \(found.coverage.percent) %:"
    return "  \(Self.count(found.states.count, "state")), \(Self.count(found.actions, "action"))\(budget ?? "")\n"
      + "  coverage\(percent) \(changes.reached) of \(changes.rows.count) transitions, "
      + "\(calls.reached) of \(calls.rows.count) calls\(missing)\n"
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private var missing: String {
    let names = found.coverage.calls.rows.filter { $0.count == 0 }.map(\.name)
    return names.isEmpty ? "" : "; never \(names.joined(separator: ", "))"
  }

  private var anomalies: String {
    found.anomalies.map { anomaly in
      let place = anomaly.state.map { " in \($0) \(found.states[$0 - 1].name)" } ?? ""
      let action = anomaly.action.map { ", \($0)" } ?? ""
      let times = anomaly.count > 1 ? " ×\(anomaly.count)" : ""
      return "  odd: \(anomaly.code.rawValue)\(place)\(action): \(anomaly.message)\(times)".printable + "\n"
    }.joined()
  }
}
