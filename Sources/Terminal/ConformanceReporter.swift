package import Application
package import Core

/// Prints the outcome of the conformance suite as readable tables or as one JSON document.
package struct ConformanceReporter {
  private let json: Bool

  package init(json: Bool) { self.json = json }

  package func printMessage(_ outcome: ConformanceRun.Outcome) throws(Fault) {
    if json { return try Console.output.printMessage(document: ConformanceDocument(outcome)) }
    try Console.output.printMessage(summary(outcome))
  }

  private func summary(_ outcome: ConformanceRun.Outcome) -> String {
    let table = ConformanceTable(outcome.report)
    let failures = table.failures
    let time = ResultRow.time(milliseconds: outcome.wall.milliseconds)
    return (failures.isEmpty ? "" : failures + "\n") + table.sections
      + (outcome.interrupted ? "interrupted after \(time)\n" : "in \(time)\n")
  }
}

/// Output of `galley conformance --json` (Schemas/conformance.schema.json).
struct ConformanceDocument: Encodable {
  /// Schema version of this document.
  private let schema = Galley.schema
  /// Galley's version.
  let galley: String
  let passed: Int
  let failed: Int
  let wallMilliseconds: Int
  let sections: [ConformanceReport.Section]
  let assertions: [AssertionRow]

  init(_ outcome: ConformanceRun.Outcome) {
    galley = Galley.version
    passed = outcome.report.passed
    failed = outcome.report.failed
    wallMilliseconds = Bounded.int(outcome.wall.milliseconds, in: 0...Int.max)
    sections = outcome.report.sections
    assertions = outcome.report.rows
  }
}
