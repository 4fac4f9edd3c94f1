import Checks
import Core
import Foundation
import FoundationXML
import Testing

@testable import Reports

@Suite("JUnit XML")
struct JUnitReportTests {
  private func document(_ report: CheckReport = Sample.full) throws -> XMLDocument {
    try XMLDocument(xmlString: JUnitReport.text(Sample.source(report)))
  }

  private func attribute(_ name: String, _ path: String, in document: XMLDocument) throws -> String? {
    try (document.nodes(forXPath: path).first as? XMLElement)?.attribute(forName: name)?.stringValue
  }

  @Test("a creative is a suite, a check a case, and the totals add up")
  func totals() throws {
    let document = try document()
    #expect(try document.nodes(forXPath: "/testsuites/testsuite").count == 4)
    #expect(try attribute("tests", "/testsuites", in: document) == "14")
    #expect(try document.nodes(forXPath: "//testcase").count == 14)
    #expect(try attribute("failures", "/testsuites", in: document) == "1")
    #expect(try document.nodes(forXPath: "//failure").count == 1)
    #expect(try attribute("errors", "/testsuites", in: document) == "2")
    #expect(try document.nodes(forXPath: "//error").count == 2)
    #expect(try attribute("skipped", "/testsuites", in: document) == "1")
    #expect(try attribute("time", "/testsuites", in: document) == "6.0")
  }

  @Test("several findings of a check are one failure that tells of all, and of the remedy")
  func failure() throws {
    let failure = try #require(try document().nodes(forXPath: "//failure").first as? XMLElement)
    #expect(failure.attribute(forName: "message")?.stringValue == "expand() 12 ms before ready (and 1 more)")
    let text = try #require(failure.stringValue)
    #expect(text.contains("error: expand() 12 ms before ready at ad.js:12:4"))
    #expect(text.contains("error: open() 9 ms before ready"))
    #expect(text.contains("Remedy: Do away with mraid-premature-call."))
  }

  @Test("pictures are attachments, alone on their lines, relative to where the reader stands")
  func attachments() throws {
    let output = try #require(
      try document().nodes(forXPath: "//testcase[starts-with(@name,'mraid-premature-call')]/system-out").last?
        .stringValue)
    #expect(output.split(separator: "\n") == ["[[ATTACHMENT|out/early/screenshots/002-expanded.png]]"])
  }

  @Test("a creative's text can't attach a file, end an element or hold what XML can't")
  func hostile() throws {
    let document = try document()
    let name = "//testsuite[@name='early']/testcase[starts-with(@name,'console-error')]/system-out"
    let output = try #require(try document.nodes(forXPath: name).first?.stringValue)
    #expect(output.contains("<script>alert(1)</script>"))
    #expect(!output.contains("[[ATTACHMENT|"))
    #expect(!output.unicodeScalars.contains("\u{1B}"))
  }

  @Test("a check that wasn't tried is skipped, with the means to try it")
  func notTried() throws {
    let document = try document(Sample.report([Sample.untried("fine")]))
    #expect(try attribute("skipped", "/testsuites", in: document) == "1")
    let message = try attribute("message", "//testcase[starts-with(@name,'console-error')]/skipped", in: document)
    #expect(message == "not tried: nothing was tapped; use --explore or --scenario")
  }

  @Test("what fails is what the policy says", arguments: [(Severity.error, 0), (.warning, 1), (.note, 2)])
  func policy(failsOn: Severity, failures: Int) throws {
    let findings = [Sample.finding("console-error", .warning), Sample.finding("alt-missing", .note)]
    var report = Sample.report([Sample.creative("strict", findings: findings)])
    report.failsOn = failsOn
    #expect(try document(report).nodes(forXPath: "//failure").count == failures)
  }
}

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

  @Test("a check that wasn't tried is skipped")
  func notTried() throws {
    let results = try results(Sample.report([Sample.untried("fine")]))
    #expect(results["summary"]?["skipped"] == 1)
    #expect(results["tests"]?.array?.last?["message"] == "not tried: nothing was tapped; use --explore or --scenario")
  }

  @Test("pictures are attached by path")
  func attachments() throws {
    let tests = try #require(try results()["tests"]?.array)
    let render = try #require(tests.first { $0["name"] == "early: renders" })
    #expect(render["attachments"]?[1]?["path"] == "out/early/screenshots/002-expanded.png")
    #expect(render["attachments"]?[1]?["contentType"] == "image/png")
  }
}
