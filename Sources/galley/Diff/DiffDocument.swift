internal import Comparison
internal import Jobs

/// What `galley diff --json` prints: Schemas/diff.schema.json.
struct DiffDocument: Encodable {
  struct Result: Encodable {
    let name: String
    let verdict: Verdict
    let pictures: [DiffPictureDocument]
    let events: Events?
    let record: [ResultVerdict.RecordChange]?
    let problems: [String]?

    init(_ result: ResultVerdict) {
      (name, verdict) = (result.name, result.verdict)
      pictures = result.pictures.map(DiffPictureDocument.init)
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
  let schema = 1
  /// Galley's version.
  let galley: String
  let first: String
  let second: String
  let verdict: Verdict
  let exitCode: Int32
  let results: [Result]

  init(_ report: DiffReport) {
    galley = Galley.version
    (first, second) = (report.first, report.second)
    verdict = report.status == .pass ? .same : .different
    exitCode = report.status.rawValue
    results = report.results.map(Result.init)
  }
}
