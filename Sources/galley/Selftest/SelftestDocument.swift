internal import Conformance
internal import Core
internal import Jobs

/// What `galley selftest --json` prints (Schemas/selftest.schema.json).
struct SelftestDocument: Encodable {
  /// Galley's version.
  let galley: String
  let passed: Int
  let failed: Int
  let wallMilliseconds: Int
  let sections: [ConformanceReport.Section]
  let assertions: [AssertionRow]

  init(_ outcome: Selftest.Outcome) {
    galley = Galley.version
    passed = outcome.report.passed
    failed = outcome.report.failed
    wallMilliseconds = Bounded.int(outcome.wall.milliseconds, in: 0...Int.max)
    sections = outcome.report.sections
    assertions = outcome.report.rows
  }
}
