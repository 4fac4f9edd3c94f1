import Checks
import Foundation
import Jobs
import MRAID
import Testing

@Suite("report.schema.json")
struct ReportSchemaTests {
  private let schema: SchemaFile

  init() throws { schema = try SchemaFile("report.schema.json") }

  private static let finding: Finding = {
    var finding = Finding(
      check: "exception", severity: .error, message: "x is not defined", profiles: ["iab"], key: "exception:x")
    finding.place = Finding.Place(file: "index.html", line: 3, column: 1)
    finding.measure = Finding.Measure(value: 2, limit: 1, unit: "B")
    finding.event = 4
    finding.screenshot = "001-default"
    return finding
  }()

  /// A report in which every member is there.
  private static func full() throws -> JSONValue {
    let judge = Judge(profiles: [], today: "2026-11-21")
    let creative = CreativeReport(
      name: "ad", folder: "ad", record: Samples.full, status: .failed, findings: [finding],
      suppressed: [CreativeReport.Suppressed(finding: finding, reason: "agreed", expires: "2026-12-31")],
      brokenChecks: [CreativeReport.BrokenCheck(check: "dialog", message: "no")], passedChecks: ["popup"],
      acceptance: [CreativeReport.Acceptance(profile: "iab", accepted: false, refusedBy: ["exception"])])
    let report = CheckReport(
      galley: Galley.version, rules: judge.rules, profiles: [CheckReport.ProfileSummary(id: "iab", title: "IAB")],
      creatives: [creative])
    return try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(report))
  }

  @Test("describes a report with everything in it, and every check of the catalogue")
  func full() throws {
    #expect(schema.problems(of: try Self.full()) == [])
    #expect(schema.unknownKeywords() == [])
  }

  @Test("refuses a member it doesn't name, a status it doesn't know and a finding without a key")
  func refuses() throws {
    guard case .object(var members) = try Self.full() else { return }
    members["extra"] = 1
    #expect(!schema.problems(of: .object(members)).isEmpty)
    let finding: JSONValue = ["check": "a", "severity": "grave", "message": "m", "profiles": []]
    let creative: JSONValue = [
      "name": "a", "folder": "a", "record": [:], "status": "fine", "findings": [finding], "suppressed": [],
      "brokenChecks": [], "passedChecks": [], "acceptance": [],
    ]
    let report: JSONValue = ["schema": 1, "galley": "1", "rules": [], "profiles": [], "creatives": [creative]]
    #expect(schema.problems(of: report).count == 3)
  }
}
