package import Application
internal import Core
internal import Exploration
internal import FoundationEssentials
internal import RenderModel
internal import Workers

/// The lines about running creatives that a terminal shows and redraws.
struct LiveLines: Sendable {
  private let names: [String]
  private let total: Int
  private var running: [(job: Int, text: String)] = []
  private var done = 0
  private var drawn = 0

  /// `names` by job id.
  init(names: [String], total: Int) {
    self.names = names
    self.total = total
  }

  /// Takes an event in and says whether the lines changed.
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

  /// Text that replaces what was drawn before by the present lines, none wider than `width`.
  mutating func redraw(width: Int, elapsed: Duration? = nil) -> String {
    var lines = running.map { "  \(names[$0.job].printable)  \($0.text.printable)".fitted(to: width) }
    let time = elapsed.map { ", \(ResultRow.time(milliseconds: $0.milliseconds))" } ?? ""
    lines.append("\(done) of \(total) done\(time)".fitted(to: width))
    defer { drawn = lines.count }
    return erase() + lines.map { $0 + "\n" }.joined()
  }

  /// Text that takes the lines away.
  mutating func erase() -> String {
    defer { drawn = 0 }
    return drawn == 0 ? "" : "\u{1B}[\(drawn)A\r\u{1B}[J"
  }
}

/// What a terminal shows while jobs go through pools: fresh lines for each pool.
package final class LiveProgress {
  private let names: [String]
  private let console: Console
  private let shows: Bool
  private let start = ContinuousClock.now
  private var lines: LiveLines?

  /// `names` by job id; shows nothing where nobody looks.
  package init(names: [String], shows: Bool, console: Console = .error) {
    (self.names, self.console, self.shows) = (names, console, shows && console.isTerminal)
  }

  package func handleProgress(_ progress: PoolProgress) {
    switch progress {
    case .began(let jobs): lines = shows ? LiveLines(names: names, total: jobs) : nil
    case .event(let event):
      if lines?.handleProgress(event) == true,
        let text = lines?.redraw(width: console.width, elapsed: start.duration(to: .now))
      {
        console.write(text)
      }
    case .ended: if let text = lines?.erase() { console.write(text) }
    }
  }
}

/// What a terminal shows while creatives are rendered or explored.
package final class CheckProgress {
  private let console: Console
  private let names: [String]
  private let table: ResultTable
  private let start = ContinuousClock.now
  private var live: LiveLines?
  private var explored: [Int: String] = [:]
  private var drawn = 0

  package init(plan: BatchPlan, output: OutputOptions, console: Console) {
    self.console = console
    names = plan.items.map(\.name)
    table = ResultTable(
      palette: Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment), names: names)
    let shows = console.isTerminal && !output.quiet
    live = shows ? LiveLines(names: names, total: plan.jobs.count) : nil
  }

  package func handleProgress(_ progress: CheckRun.Progress) {
    switch progress {
    case .render(let event):
      printFailure(event)
      if live?.handleProgress(event) == true,
        let text = live?.redraw(width: console.width, elapsed: start.duration(to: .now))
      {
        console.write(text)
      }
    case .trial(let item, let crawler): handleProgress(crawler, of: item)
    }
  }

  private func handleProgress(_ crawler: Crawler, of item: Int) {
    guard live != nil else { return }
    let text = "  \(names[item].printable)  \(crawler.states.count) states, \(crawler.actions) actions"
    explored[item] = crawler.isDone ? nil : text.fitted(to: console.width)
    console.write(erase() + explored.sorted { $0.key < $1.key }.map { $0.value + "\n" }.joined())
    drawn = explored.count
  }

  /// What couldn't be rendered is told at once; verdicts come when all is rendered.
  private func printFailure(_ event: PoolEvent) {
    guard case .finished(let job, let record) = event, record.outcome != .completed, let text = live?.erase() else {
      return
    }
    console.write(text + table.text(ResultRow(name: names[job], record: record)))
  }

  /// Takes what is shown away.
  package func end() {
    if let text = live?.erase() { console.write(text) }
    console.write(erase())
  }

  private func erase() -> String {
    defer { drawn = 0 }
    return drawn == 0 ? "" : "\u{1B}[\(drawn)A\r\u{1B}[J"
  }
}
