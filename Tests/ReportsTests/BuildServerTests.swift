import Checks
import Foundation
import FoundationXML
@testable import Reports
import Testing

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
