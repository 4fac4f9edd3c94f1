internal import Jobs

/// What `galley diff --json` prints: Schemas/diff.schema.json.
package struct DiffDocument: Encodable {
  struct Result: Encodable {
    let name: String
    let verdict: Verdict
    let pictures: [PictureDocument]
    let events: Events?
    let record: [ResultVerdict.RecordChange]?
    let problems: [String]?

    init(_ result: ResultVerdict) {
      (name, verdict) = (result.name, result.verdict)
      pictures = result.pictures.map(PictureDocument.init)
      events = result.events.map(Events.init)
      record = result.record.isEmpty ? nil : result.record
      problems = result.problems.isEmpty ? nil : result.problems
    }
  }

  struct Events: Encodable {
    let first: Int
    let second: Int
    let findings: [EventFinding]

    init(_ events: EventComparison) {
      (first, second, findings) = (events.firstCount, events.secondCount, events.findings)
    }
  }

  /// The version of this document's shape.
  private let schema = 1
  /// Galley's version.
  private let galley = Galley.version
  private let first: String
  private let second: String
  private let verdict: Verdict
  private let exitCode: Int32
  private let results: [Result]

  /// `first` and `second` as the caller wrote them.
  package init(first: String, second: String, results: [ResultVerdict], exitCode: Int32) {
    (self.first, self.second, self.exitCode) = (first, second, exitCode)
    verdict = results.allSatisfy { $0.verdict == .same } ? .same : .different
    self.results = results.map(Result.init)
  }
}
