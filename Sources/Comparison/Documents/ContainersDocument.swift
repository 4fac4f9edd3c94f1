internal import Jobs
internal import MRAID

/// What `galley compare-containers --json` prints: Schemas/containers.schema.json.
package struct ContainersDocument: Encodable {
  struct Creative: Encodable {
    let name: String
    let showings: [Showing]
    let message: String?
    let code: String?

    init(_ verdict: ContainerVerdict) {
      name = verdict.name
      showings = verdict.showings.map(Showing.init)
      (message, code) = (verdict.refusal?.message, verdict.refusal?.code)
    }
  }

  struct Showing: Encodable {
    let container: String
    let folder: String
    let outcome: RenderRecord.Outcome
    let message: String?
    let code: String?
    let states: [MRAIDState]
    let eventCount: Int
    let comparison: DiffDocument.Result?

    init(_ showing: ContainerVerdict.Showing) {
      (container, folder, outcome) = (showing.container, showing.folder, showing.record.outcome)
      (message, code) = (showing.record.message, showing.record.code)
      (states, eventCount) = (showing.record.states, showing.record.eventCount)
      comparison = showing.comparison.map(DiffDocument.Result.init)
    }
  }

  /// The version of this document's shape.
  private let schema = 1
  /// Galley's version.
  private let galley = Galley.version
  private let exitCode: Int32
  private let creatives: [Creative]

  package init(_ verdicts: [ContainerVerdict], exitCode: Int32) {
    creatives = verdicts.map(Creative.init)
    self.exitCode = exitCode
  }
}
