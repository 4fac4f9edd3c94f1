import Checks
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

  @Test("what fails is what the policy says", arguments: [(Severity.error, 0), (.warning, 1), (.note, 2)])
  func policy(failsOn: Severity, failures: Int) throws {
    let findings = [Sample.finding("console-error", .warning), Sample.finding("alt-missing", .note)]
    var report = Sample.report([Sample.creative("strict", findings: findings)])
    report.failsOn = failsOn
    #expect(try document(report).nodes(forXPath: "//failure").count == failures)
  }
}
