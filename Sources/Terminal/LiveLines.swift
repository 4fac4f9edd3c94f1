package import Application
internal import Core
internal import Exploration
internal import FoundationEssentials
package import RenderModel
internal import Workers

/// Lines on running creatives that are redrawn on a terminal.
struct LiveLines: Sendable {
  private let names: [String]
  private let total: Int
  private var running: [(job: Int, text: String)] = []
  private var done = 0
  private var drawn = 0

  /// Makes the lines; `names` are indexed by job id.
  init(names: [String], total: Int) {
    self.names = names
    self.total = total
  }

  /// Processes an event and returns true if the lines changed.
  mutating func handleProgress(_ event: PoolEvent) -> Bool {
    switch event {
    case .started(let job, let attempt):
      running.removeAll { $0.job == job }
      running.append((job, attempt == 1 ? "starting" : "starting, attempt \(attempt)"))
    case .progress(let job, let phase):
      guard let index = running.firstIndex(where: { $0.job == job }), running[index].text != phase else { return false }
      running[index].text = phase
    case .retrying(let job, _, _): running.removeAll { $0.job == job }
    case .finished(let job, _):
      running.removeAll { $0.job == job }
      done += 1
    }
    return true
  }

  /// Returns text that replaces the lines drawn before by the present ones, none wider than `width`.
  mutating func redraw(width: Int, elapsed: Duration? = nil) -> String {
    var lines = running.map { "  \(names[$0.job].printable)  \($0.text.printable)".fitted(to: width) }
    let time = elapsed.map { ", \(ResultRow.time(milliseconds: $0.milliseconds))" } ?? ""
    lines.append("\(done) of \(total) done\(time)".fitted(to: width))
    defer { drawn = lines.count }
    return erase() + lines.map { $0 + "\n" }.joined()
  }

  /// Returns text that erases the lines.
  mutating func erase() -> String {
    defer { drawn = 0 }
    return drawn == 0 ? "" : "\u{1B}[\(drawn)A\r\u{1B}[J"
  }
}

/// Lines for finished creatives, for output without a terminal.
///
/// Without them a build server might end a job because of its silence.
struct EndingLines: Sendable {
  private let total: Int
  private var done = 0

  init(total: Int) { self.total = total }

  /// Returns the line of a finished creative, such as `banner  completed  1.2 s  (3 of 17)`.
  mutating func line(_ name: String, _ record: RenderRecord) -> String {
    done += 1
    let row = ResultRow(name: name, record: record)
    return "\(row.name)  \(row.outcome.rawValue)  \(row.time)  (\(done) of \(total))\n"
  }
}

/// Line that is printed after a signal.
package enum Interrupted {
  /// Returns the line, such as `interrupted after 2 of 17`; cancelled renders don't count.
  package static func text(_ records: [RenderRecord]) -> String {
    let done = records.count { $0.code != RenderRecord.cancelledCode }
    return "interrupted after \(done) of \(records.count)\n"
  }
}

/// Progress of jobs in pools on a terminal, with new lines for each pool.
package final class LiveProgress {
  private let names: [String]
  private let console: Console
  private let shows: Bool
  private let start = ContinuousClock.now
  private var lines: LiveLines?
  private var endings: EndingLines?

  /// Makes the progress; `names` are indexed by job id, and without a terminal each finished job gets a line.
  package init(names: [String], shows: Bool, console: Console = .error) {
    (self.names, self.console, self.shows) = (names, console, shows)
  }

  package func handleProgress(_ progress: PoolProgress) {
    switch progress {
    case .began(let jobs):
      lines = shows && console.isTerminal ? LiveLines(names: names, total: jobs) : nil
      endings = shows && !console.isTerminal ? EndingLines(total: jobs) : nil
    case .event(let event):
      if case .finished(let job, let record) = event, let text = endings?.line(names[job], record) {
        console.write(text)
      }
      if lines?.handleProgress(event) == true,
        let text = lines?.redraw(width: console.width, elapsed: start.duration(to: .now))
      {
        console.write(text)
      }
    case .ended: if let text = lines?.erase() { console.write(text) }
    }
  }
}

/// Progress of creatives that are rendered or explored, on a terminal.
package final class CheckProgress {
  private let console: Console
  private let names: [String]
  private let table: ResultTable
  private let start = ContinuousClock.now
  private var live: LiveLines?
  private var endings: EndingLines?
  private var explored: [Int: String] = [:]
  private var drawn = 0

  package init(plan: BatchPlan, output: OutputOptions, console: Console) {
    self.console = console
    names = plan.items.map(\.name)
    table = ResultTable(
      palette: Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment), names: names)
    let shows = console.isTerminal && !output.quiet
    live = shows ? LiveLines(names: names, total: plan.jobs.count) : nil
    endings = output.quiet || console.isTerminal ? nil : EndingLines(total: plan.jobs.count)
    if !output.quiet, !output.json, let remark = plan.remark { console.write(remark) }
  }

  package func handleProgress(_ progress: CheckRun.Progress) {
    switch progress {
    case .render(let event):
      printFailure(event)
      if case .finished(let job, let record) = event, let text = endings?.line(names[job], record) {
        console.write(text)
      }
      if live?.handleProgress(event) == true,
        let text = live?.redraw(width: console.width, elapsed: start.duration(to: .now))
      {
        console.write(text)
      }
    case .trial(let item, let crawler): handleProgress(crawler, of: item)
    case .filming:
      if live != nil || endings != nil { console.write(erase() + "recording the ways through the playables\n") }
    }
  }

  private func handleProgress(_ crawler: Crawler, of item: Int) {
    if endings != nil, crawler.isDone {
      console.write("\(names[item].printable)  explored: \(crawler.states.count) states, \(crawler.actions) actions\n")
    }
    guard live != nil else { return }
    let text = "  \(names[item].printable)  \(crawler.states.count) states, \(crawler.actions) actions"
    explored[item] = crawler.isDone ? nil : text.fitted(to: console.width)
    console.write(erase() + explored.sorted { $0.key < $1.key }.map { $0.value + "\n" }.joined())
    drawn = explored.count
  }

  /// Prints a creative that couldn't be rendered at once, since verdicts follow only after all renders.
  private func printFailure(_ event: PoolEvent) {
    guard case .finished(let job, let record) = event, record.outcome != .completed, let text = live?.erase() else {
      return
    }
    console.write(text + table.text(ResultRow(name: names[job], record: record)))
  }

  /// Erases the lines.
  package func end() {
    if let text = live?.erase() { console.write(text) }
    console.write(erase())
  }

  private func erase() -> String {
    defer { drawn = 0 }
    return drawn == 0 ? "" : "\u{1B}[\(drawn)A\r\u{1B}[J"
  }
}
