internal import Core
internal import Exploration
internal import Jobs

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
  let galley: String
  /// In the order of the arguments.
  let results: [RenderRecord]
  /// What `--explore` found, in the same order; absent without it, and of creatives that couldn't be rendered.
  let explorations: [ExplorationDocument]?
  let summary: Summary

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
