internal import Core
internal import MRAID
package import RenderModel

/// One creative as several containers showed it.
package struct ContainerVerdict: Sendable {
  /// One container's render, and how it compares with the reference's.
  package struct Run: Sendable {
    package let container: String
    package let record: RenderRecord
    /// Path of the result folder, relative to the output folder of the call.
    package let folder: String
    /// Comparison with the reference's result; nil for the reference itself.
    package let comparison: ResultVerdict?

    package init(container: String, record: RenderRecord, folder: String, comparison: ResultVerdict?) {
      (self.container, self.record, self.folder, self.comparison) = (container, record, folder, comparison)
    }
  }

  /// The creative's result folder, or its argument when it couldn't be opened.
  package let name: String
  /// Renders with the reference first; empty for a creative that couldn't be opened.
  package let runs: [Run]
  /// Record with the reason why the creative couldn't be opened; nil where there are renders.
  package let refusal: RenderRecord?

  package init(name: String, runs: [Run]) {
    (self.name, self.runs, refusal) = (name, runs, nil)
  }

  /// Makes the verdict for a creative that couldn't be opened.
  package init(name: String, refusal: RenderRecord) {
    (self.name, runs, self.refusal) = (name, [], refusal)
  }
}

/// Output of `galley compare-containers --json`: Schemas/containers.schema.json.
package struct ContainersDocument: Encodable {
  struct Creative: Encodable {
    let name: String
    let runs: [Run]
    let message: String?
    let code: String?

    init(_ verdict: ContainerVerdict) {
      name = verdict.name
      runs = verdict.runs.map(Run.init)
      (message, code) = (verdict.refusal?.message, verdict.refusal?.code)
    }
  }

  struct Run: Encodable {
    private let container: String
    private let folder: String
    private let outcome: RenderRecord.Outcome
    private let message: String?
    private let code: String?
    private let states: [MRAIDState]
    private let eventCount: Int
    private let comparison: DiffDocument.Result?

    init(_ run: ContainerVerdict.Run) {
      (container, folder, outcome) = (run.container, run.folder, run.record.outcome)
      (message, code) = (run.record.message, run.record.code)
      (states, eventCount) = (run.record.states, run.record.eventCount)
      comparison = run.comparison.map(DiffDocument.Result.init)
    }
  }

  /// The version of this document's shape.
  private let schema = Galley.schema
  /// Galley's version.
  private let galley = Galley.version
  private let exitCode: Int32
  private let creatives: [Creative]

  package init(_ verdicts: [ContainerVerdict], exitCode: Int32) {
    creatives = verdicts.map(Creative.init)
    self.exitCode = exitCode
  }
}
