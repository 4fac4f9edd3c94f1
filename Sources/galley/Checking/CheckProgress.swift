internal import Core
internal import Exploration
internal import Workers

/// What a terminal shows while creatives are rendered or explored.
struct CheckProgress: Sendable {
  private let console: Console
  private let names: [String]
  private var live: LiveLines?
  private var explored: [Int: String] = [:]
  private var drawn = 0

  init(plan: BatchPlan, output: OutputOptions, console: Console) {
    self.console = console
    names = plan.items.map(\.name)
    let shows = console.isTerminal && !output.quiet
    live = shows ? LiveLines(names: names, total: plan.jobs.count) : nil
  }

  mutating func take(_ event: PoolEvent) {
    if live?.take(event) == true, let text = live?.redraw(width: console.width) { console.write(text) }
  }

  mutating func take(_ explorer: Explorer, of item: Int) {
    guard live != nil else { return }
    let text = "  \(names[item].printable)  \(explorer.states.count) states, \(explorer.actions) actions"
    explored[item] = explorer.isDone ? nil : text.fitted(to: console.width)
    console.write(erase() + explored.sorted { $0.key < $1.key }.map { $0.value + "\n" }.joined())
    drawn = explored.count
  }

  /// Takes what is shown away.
  mutating func end() {
    if let text = live?.erase() { console.write(text) }
    console.write(erase())
  }

  private mutating func erase() -> String {
    defer { drawn = 0 }
    return drawn == 0 ? "" : "\u{1B}[\(drawn)A\r\u{1B}[J"
  }
}
