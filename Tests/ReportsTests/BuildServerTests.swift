import Checks
import Core
import Foundation
import FoundationXML
import Pixels
import Testing

@testable import Reports

@Suite("A report in a build server's log")
struct BuildServerTests {
  @Test("no creative's text is a command there, nor writes over what stands there")
  func commands() async throws {
    var report = Sample.full
    report.creatives[1].name += "##vso[task.setvariable variable=A]b"
    let source = Sample.source(report)
    let texts = try [
      "JUnit": JUnitReport.text(source), "SARIF": SARIFReport.text(source), "CTRF": CTRFReport.text(source),
      "HAR": HARReport.text(source), "HTML": await HTMLReport.text(source),
      "annotations": GitHubAnnotations.text(source),
    ]
    for (name, text) in texts {
      #expect(!text.contains(/##[a-z]*\[/), "\(name)")
      #expect(!text.unicodeScalars.contains { $0 == "\r" || $0 == "\u{1B}" }, "\(name)")
      guard name != "annotations" else { continue }
      let beginnings = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
      #expect(!beginnings.contains { $0.hasPrefix("::error") || $0.hasPrefix("::set-env") }, "\(name)")
    }
  }

  @Test("what ends a line unseen or turns the reading direction is in no report")
  func separators() async throws {
    let odd =
      "\u{85}\u{2028}\u{2029}\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{206A}\u{FFF9}\u{E0041}\u{1B}\u{0B}\u{0C}"
    var report = Sample.report([
      Sample.creative(
        "one\(odd)::error::x", status: .failed,
        findings: [
          Sample.finding(
            "console-error", .error, "a\(odd)::error::b", place: Finding.Place(file: "x\(odd).js", line: 1, column: 1))
        ])
    ])
    report.creatives[0].folder = "one"
    report.policy = PolicySource(source: .found, path: "ads/\(odd)galley.yaml", sha256: nil)
    let source = Sample.source(report)
    let texts = try [
      "JUnit": JUnitReport.text(source), "SARIF": SARIFReport.text(source), "CTRF": CTRFReport.text(source),
      "HAR": HARReport.text(source), "HTML": await HTMLReport.text(source), "summary": StepSummary.text(source),
      "annotations": GitHubAnnotations.text(source),
    ]
    for (name, text) in texts {
      let left = text.unicodeScalars.filter { odd.unicodeScalars.contains($0) }
      #expect(left.isEmpty, "\(name): \(left.map { String($0.value, radix: 16) })")
      #expect(text.contains("galley.yaml"), "\(name)")
    }
    let lines = GitHubAnnotations.text(source).split(whereSeparator: \.isNewline)
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("::error ") || $0.hasPrefix("::notice ") }, "\(lines)")
  }

  @Test("results that lead elsewhere are in no report", arguments: ["link", "folder", "exploration"])
  func elsewhere(kind: String) async throws {
    let map = """
      {"states": [{"number": 1, "name": "a"}, {"number": 2, "name": "b", "screenshot": "../secret.png"}],
       "paths": [], "anomalies": []}
      """
    let folder = try SampleFolder(
      Sample.report([Sample.creative("fine")]), exploration: kind == "exploration" ? map : nil)
    let secret = folder.path + "/secret.png"
    try PNGEncoder.write(Bitmap(width: 9, height: 9, fill: Color(red: 9, green: 8, blue: 7)), to: secret)
    defer { try? FileManager.default.removeItem(atPath: secret) }
    let (files, shots) = (FileManager.default, folder.path + "/fine/screenshots")
    if kind == "link" {
      try files.removeItem(atPath: shots + "/001-default.png")
      try files.createSymbolicLink(atPath: shots + "/001-default.png", withDestinationPath: secret)
    } else if kind == "folder" {
      try files.moveItem(atPath: shots, toPath: folder.path + "/moved")
      try files.createSymbolicLink(atPath: shots, withDestinationPath: folder.path + "/moved")
    }
    let source = folder.source
    let creative = source.report.creatives[0]
    let file = kind == "exploration" ? "../secret.png" : "screenshots/001-default.png"
    #expect(source.path(of: file, in: creative).isEmpty)
  }

  @Test("a reader sees what the creative wrote")
  func reading() throws {
    let document = try XMLDocument(xmlString: JUnitReport.text(Sample.source(Sample.full)))
    let name = "//testsuite[@name='early']/testcase[starts-with(@name,'console-error')]/system-out"
    let output = try #require(try document.nodes(forXPath: name).first?.stringValue)
    #expect(output.contains("\n::error::owned\n  ::set-env::x\n##vso[task.setvariable variable=A]b ##teamcity[x]"))
  }

  @Test(
    "only what is a command is written otherwise",
    arguments: [
      ("<p>##vso[x]b</p>", "<p>#&#35;vso[x]b</p>"), ("###[x]", "#&#35;&#35;[x]"),
      ("a\n ::error::x", "a\n &#58;:error::x"), ("::stop::", "&#58;:stop::"),
      ("<p>a::b #1\nx:c</p>", "<p>a::b #1\nx:c</p>"),
    ])
  func markup(text: String, expected: String) {
    #expect(ReportText.markup(text) == expected)
  }
}
