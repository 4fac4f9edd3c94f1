internal import Checks
package import Core
internal import RenderModel

/// Common Test Report Format (https://ctrf.io): one JSON document with all test cases.
package enum CTRFReport {
  /// Returns the whole document.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    try ReportJSON.text(CTRFDocument(source))
  }
}

/// Document according to CTRF's schema; times are milliseconds since 1970.
struct CTRFDocument: Encodable {
  struct Results: Encodable {
    let tool: Tool
    let summary: Summary
    let tests: [CTRFTest]
    /// Additional data; nil for reports of older versions.
    let extra: Extra?
  }
  /// Data for which the format has no member.
  struct Extra: Encodable {
    let policy: PolicySource
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
    let builds = PlayableCases(report).suites
    let cases = report.creatives.flatMap { TestCases(creative: $0, report: report).cases } + builds.flatMap(\.cases)
    let tests = cases.map { CTRFTest($0, source: source) }
    let count = { (status: CTRFTest.Status) in tests.count { $0.status == status } }
    let duration = tests.reduce(0) { $0 + $1.duration }
    results = Results(
      tool: Tool(version: report.galley),
      summary: Summary(
        tests: tests.count, passed: count(.passed), failed: count(.failed), skipped: count(.skipped),
        other: count(.other), suites: report.creatives.count + builds.count, start: max(0, source.finished - duration),
        stop: max(duration, source.finished)),
      tests: tests, extra: report.policy.map(Extra.init))
  }
}

/// Test case in CTRF's form.
struct CTRFTest: Encodable {
  enum Status: String, Encodable { case passed, failed, skipped, other }
  struct Attachment: Encodable {
    let name: String
    let contentType = "image/png"
    let path: String
  }

  let name: String
  let status: Status
  let rawStatus: String
  let duration: Int
  let suite: [String]
  let message: String?
  let trace: String?
  let tags: [String]?
  let type = "creative"
  let filePath: String
  let device: String
  let attachments: [Attachment]?

  init(_ test: TestCase, source: ReportSource) {
    let creative = test.creative
    name = ReportText.line("\(test.subject): \(test.title)")
    status = Self.status(test)
    rawStatus = test.id == "render" ? creative.status.rawValue : "\(test.outcome)"
    duration = Bounded.int(test.duration, in: 0...9_000_000_000_000_000)
    suite = [ReportText.line(test.subject)]
    message = test.message.map(ReportText.line)
    trace = test.details.isEmpty ? nil : ReportText.shown(test.details.joined(separator: "\n"))
    let family = source.report.rules.first { $0.id == test.id }?.family.rawValue
    tags = [test.id, family].compactMap(\.self)
    filePath = creative.creativePath
    device = creative.record.device.name
    let pictures = test.pictures.map {
      Attachment(name: String($0.split(separator: "/").last ?? ""), path: source.link(to: $0, in: creative))
    }
    attachments = pictures.isEmpty ? nil : pictures
  }

  /// Returns the status of a test case.
  ///
  /// A render that timed out or broke counts as failed, so that it is noticed; a broken check says nothing about the
  /// creative and counts as other.
  private static func status(_ test: TestCase) -> Status {
    switch test.outcome {
    case .passed: .passed
    case .failed: .failed
    case .skipped: .skipped
    case .broken: test.id == "render" ? .failed : .other
    }
  }
}
