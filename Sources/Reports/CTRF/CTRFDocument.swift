internal import Checks
internal import Jobs

/// The document of CTRF's schema; times are milliseconds since 1970.
struct CTRFDocument: Encodable {
  struct Results: Encodable {
    let tool: Tool
    let summary: Summary
    let tests: [CTRFTest]
  }
  struct Tool: Encodable {
    let name = "galley"
    let version: String
  }
  struct Summary: Encodable {
    let tests: Int
    let passed: Int
    let failed: Int
    let skipped: Int
    let pending = 0
    let other: Int
    let suites: Int
    let start: Int
    let stop: Int
  }

  let reportFormat = "CTRF"
  let specVersion = "0.0.0"
  let generatedBy = "galley"
  let results: Results

  init(_ source: ReportSource) {
    let report = source.report
    let tests = report.creatives.flatMap { creative in
      CaseList(creative: creative, report: report).cases.map { CTRFTest($0, source: source) }
    }
    let count = { (status: CTRFTest.Status) in tests.count { $0.status == status } }
    let duration = tests.reduce(0) { $0 + $1.duration }
    results = Results(
      tool: Tool(version: report.galley),
      summary: Summary(
        tests: tests.count, passed: count(.passed), failed: count(.failed), skipped: count(.skipped),
        other: count(.other), suites: report.creatives.count, start: max(0, source.finished - duration),
        stop: max(duration, source.finished)),
      tests: tests)
  }
}
