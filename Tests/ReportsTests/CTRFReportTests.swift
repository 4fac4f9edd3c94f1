import Checks
import Foundation
import MRAID
import Testing

@testable import Reports

@Suite("CTRF")
struct CTRFReportTests {
  private func results(_ report: CheckReport = Sample.full) throws -> JSONValue {
    let document = try JSONDecoder().decode(
      JSONValue.self, from: Data(CTRFReport.text(Sample.source(report)).utf8))
    #expect(document["reportFormat"] == "CTRF")
    return try #require(document["results"])
  }

  @Test("the summary counts the tests by their statuses")
  func summary() throws {
    let results = try results()
    let tests = try #require(results["tests"]?.array)
    let summary = try #require(results["summary"])
    #expect(summary["tests"]?.number == Double(tests.count))
    for status in ["passed", "failed", "skipped", "pending", "other"] {
      #expect(summary[status]?.number == Double(tests.count { $0["status"]?.string == status }), "\(status)")
    }
    #expect(summary["failed"] == 2)
    #expect(summary["other"] == 1)
    #expect(summary["stop"] == 1_790_000_000_000)
    #expect(summary["start"] == 1_789_999_994_000)
  }

  @Test("a render out of time has failed; a check that broke says nothing about the creative")
  func broken() throws {
    let tests = try #require(try results()["tests"]?.array)
    let slow = try #require(tests.first { $0["name"] == "slow: renders" })
    #expect(slow["status"] == "failed")
    #expect(slow["rawStatus"] == "timedOut")
    let odd = try #require(tests.first { $0["status"] == "other" })
    #expect(odd["suite"] == ["odd"])
    #expect(odd["message"] == "no measurements")
  }

  @Test("pictures are attached by path")
  func attachments() throws {
    let tests = try #require(try results()["tests"]?.array)
    let render = try #require(tests.first { $0["name"] == "early: renders" })
    #expect(render["attachments"]?[1]?["path"] == "out/early/screenshots/002-expanded.png")
    #expect(render["attachments"]?[1]?["contentType"] == "image/png")
  }
}
