import Checks
import Core
import Foundation
import RenderModel
import Testing

@testable import Reports

@Suite("SARIF")
struct SARIFReportTests {
  private func run(_ report: CheckReport = Sample.full) throws -> JSONValue {
    let text = try SARIFReport.text(Sample.source(report))
    let log = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(log["version"] == "2.1.0")
    #expect(log["runs"]?.array?.count == 1)
    return try #require(log["runs"]?[0])
  }

  @Test("one run has a rule for each check and a result for each finding, the suppressed among them")
  func results() throws {
    let run = try run()
    #expect(run["tool"]?["driver"]?["rules"]?.array?.count == Sample.rules.count)
    let results = try #require(run["results"]?.array)
    #expect(results.count == 4)
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
    for result in results {
      let index = try #require(result["ruleIndex"]?.number)
      #expect(rules[try #require(Int(exactly: index))]["id"] == result["ruleId"])
    }
    #expect(results.map { $0["suppressions"]?.array?.count } == [0, 0, 0, 1])
    #expect(results[3]["suppressions"]?[0]?["justification"] == "decorative")
  }

  @Test("a network's rule that wasn't tried is a note on the run, and a result only if the policy demands it")
  func notTried() throws {
    var creative = Sample.untried("fine")
    let invocation = try run(Sample.report([creative]))["invocations"]?[0]
    let note = try #require(invocation?["toolExecutionNotifications"]?[0])
    #expect(note["level"] == "note")
    #expect(note["associatedRule"]?["id"] == "console-error")
    #expect(
      note["message"]?["text"]
        == "fine: not tried for unity: console-error (nothing was tapped; use --explore or --scenario)")
    creative.findings = [Sample.finding("console-error", .error, "not tried: nothing was tapped")]
    let strict = try run(Sample.report([creative]))
    #expect(strict["results"]?[0]?["level"] == "error")
    #expect(strict["invocations"]?[0]?["toolExecutionNotifications"] == [])
  }

  @Test("a rule says why, what to do, and by whom it was made when")
  func help() throws {
    let rule = try #require(try run()["tool"]?["driver"]?["rules"]?[0])
    let text = try #require(rule["help"]?["text"]?.string)
    #expect(text.contains("Because mraid-premature-call matters."))
    #expect(text.contains("Do away with mraid-premature-call."))
    #expect(text.contains("A standard (2018-04)"))
    #expect(rule["helpUri"] == "https://example.com/standard#mraid-premature-call")
  }

  @Test("a place in a folder is a line of its file; the fingerprint doesn't move with it")
  func places() throws {
    var report = Sample.full
    let first = try #require(try run(report)["results"]?[0])
    let place = try #require(first["locations"]?[0]?["physicalLocation"])
    #expect(place["artifactLocation"]?["uri"] == "Creatives/early/ad.js")
    #expect(place["region"] == ["startLine": 12, "startColumn": 4])
    report.creatives[1].findings[0].place?.line = 40
    let moved = try #require(try run(report)["results"]?[0])
    #expect(moved["partialFingerprints"] == first["partialFingerprints"])
    report.creatives[1].findings[0].key = "another"
    let other = try #require(try run(report)["results"]?[0])
    #expect(other["partialFingerprints"] != first["partialFingerprints"])
  }

  @Test("what is nowhere in particular is in the file that a folder begins with")
  func begins() throws {
    var report = Sample.full
    report.creatives[1].record.creative.document = "index.html"
    report.creatives[1].findings[0].place = nil
    let location = try run(report)["results"]?[0]?["locations"]?[0]?["physicalLocation"]
    #expect(location?["artifactLocation"]?["uri"] == "Creatives/early/index.html")
    #expect(location?["region"] == nil)
  }

  @Test("what couldn't be judged is told as the tool's trouble, not as a result")
  func broken() throws {
    let invocation = try #require(try run()["invocations"]?[0])
    #expect(invocation["executionSuccessful"] == false)
    #expect(invocation["toolExecutionNotifications"]?.array?.count == 2)
    let fine = try run(Sample.report([Sample.creative("fine")]))
    #expect(fine["invocations"]?[0]?["executionSuccessful"] == true)
  }

  @Test("a creative that can't be shown is an error, as in every other report")
  func unshown() throws {
    var creative = Sample.creative("gone", status: .failed)
    creative.record.fail(.creative("vast-failed", "no film could be had"))
    creative.record.warnings = ["back slashes part its folders"]
    let run = try run(Sample.report([creative]))
    let result = try #require(run["results"]?[0])
    #expect(result["level"] == "error" && result["ruleId"] == "render")
    #expect(result["message"]?["text"] == "gone: no film could be had")
    #expect(run["tool"]?["driver"]?["rules"]?.array?.last?["id"] == "render")
    let told = run["invocations"]?[0]?["toolExecutionNotifications"]?.array
    #expect(told?.map { $0["level"] } == ["warning"])
    let source = Sample.source(Sample.report([creative]))
    #expect(GitHubAnnotations.text(source).hasPrefix("::error "))
    #expect(StepSummary.text(source).contains("| gone | failed | 1 | 0 | 0 |"))
  }

  @Test(
    "paths become references that any reader resolves",
    arguments: [
      ("Creatives/a b/50%.html", "Creatives/a%20b/50%25.html"), ("./x.html", "x.html"),
      ("/tmp/ü.html", "file:///tmp/%C3%BC.html"), ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z"),
      ("C:evil", "C%3Aevil"), ("https://a.example/50%/%zz/%41 b", "https://a.example/50%25/%25zz/%41%20b"),
    ])
  func uris(path: String, uri: String) {
    #expect(SARIFPath.uri(path) == uri)
  }

  @Test("a source without a web address is named, and isn't a link")
  func names() throws {
    var report = Sample.full
    report.rules[0].source.url = "urn:galley:readme:policy"
    let rule = try #require(try run(report)["tool"]?["driver"]?["rules"]?[0])
    #expect(rule["helpUri"] == nil)
    let markdown = try #require(rule["help"]?["markdown"]?.string)
    #expect(markdown.contains("Source: \(report.rules[0].source.title)") && !markdown.contains("]("))
    #expect(rule["help"]?["text"]?.string?.contains("urn:") == false)
  }

  @Test("a file of a zip is named inside of it, without a line of the zip")
  func zips() throws {
    var report = Sample.full
    report.creatives[1].record.creative = RenderRecord.Creative(path: "campaign.zip", kind: "zip")
    let location = try #require(try run(report)["results"]?[0]?["locations"]?[0])
    #expect(location["physicalLocation"] == ["artifactLocation": ["uri": "campaign.zip"]])
    #expect(location["logicalLocations"]?[0]?["name"] == "ad.js")
  }
}

@Suite("GitHub Actions")
struct GitHubReportTests {
  private func lines(_ report: CheckReport = Sample.full) -> [Substring] {
    GitHubAnnotations.text(Sample.source(report)).split(separator: "\n")
  }

  @Test("errors come first, with file, line and title")
  func order() throws {
    let lines = lines()
    let place = "file=Creatives/early/ad.js,line=12,col=4,title=early%3A Calls MRAID before it is ready"
    let message = "expand() 12 ms before ready%0ADo away with mraid-premature-call."
    #expect(lines.first.map(String.init) == "::error \(place)::\(message)")
    #expect(lines.count { $0.hasPrefix("::error ") } == 3)
    #expect(lines.count { $0.hasPrefix("::warning ") } == 2)
  }

  @Test("of each kind the worst nine are told, and how many more there are")
  func many() {
    let findings = (1...25).map { Sample.finding("mraid-premature-call", .error, "no. \($0)") }
    let lines = lines(Sample.report([Sample.creative("many", status: .failed, findings: findings)]))
    #expect(lines.count == 10)
    #expect(lines.last == "::error title=Galley::and 16 more")
    let ten = Sample.report([Sample.creative("ten", status: .failed, findings: Array(findings.prefix(9)))])
    #expect(self.lines(ten).count == 9)
  }

  @Test("what one check finds again and again in a creative doesn't crowd out the others")
  func crowd() throws {
    let findings = (1...25).map { Sample.finding("mraid-premature-call", .error, "no. \($0)") }
    let lines = lines(
      Sample.report([
        Sample.creative("many", status: .failed, findings: findings),
        Sample.creative("other", status: .failed, findings: [Sample.finding("weight-initial", .error, "heavy")]),
      ]))
    #expect(lines[0].contains("no. 1%0A"))
    #expect(lines[1].contains("::heavy"))
  }

  @Test("a creative's text can't give commands of its own")
  func hostile() {
    for line in lines() { #expect(line.hasPrefix("::error ") || line.hasPrefix("::warning ")) }
    #expect(GitHubAnnotations.text(Sample.source(Sample.full)).contains("%0A::error::owned"))
    let named = Sample.creative("a,file=/etc/x::b", status: .failed, findings: [Sample.finding("x", .error)])
    #expect(lines(Sample.report([named]))[0].contains("title=a%2Cfile=/etc/x%3A%3Ab%3A x::found"))
  }

  @Test("the summary has a row a creative, and the networks that accept it")
  func summary() {
    let text = StepSummary.text(Sample.source(Sample.full))
    #expect(text.hasPrefix("## ❌ Galley: 1 failed, 1 timed out of 4 creatives"))
    #expect(text.contains("| early | failed | 2 | 1 | 0 |\n"))
    #expect(text.contains("| early | ✅ | ❌ |\n"))
    #expect(StepSummary.text(Sample.source(Sample.report([Sample.creative("fine")]))).hasPrefix("## ✅"))
  }

  @Test("the summary says what wasn't tried, and doesn't say that a network accepts it")
  func notTried() {
    let text = StepSummary.text(Sample.source(Sample.report([Sample.untried("fine")])))
    #expect(text.hasPrefix("## ✅ Galley: the creative passes what was tried\n"))
    #expect(text.contains("| fine | ✅ | ❔ |\n"))
    #expect(text.contains("- ❔ fine, Unity Ads&#58; not tried&#58; console-error &#40;nothing was tapped;"))
  }

  @Test("texts in the summary are no markup")
  func markup() {
    let text = StepSummary.text(Sample.source(Sample.full))
    #expect(!text.contains("<script"))
    #expect(text.contains("&#60;script&#62;"))
    #expect(Markdown.text("[x](javascript:y) | @all #1 `z`\n# head").allSatisfy { !"[]()|@`<>".contains($0) })
  }

  @Test("the summary stays below what GitHub takes")
  func long() {
    let findings = (1...200).map { Sample.finding("x", .error, String(repeating: "long ", count: 40) + "\($0)") }
    let creatives = (1...40).map { Sample.creative("c\($0)", status: .failed, findings: findings) }
    let text = StepSummary.text(Sample.source(Sample.report(creatives)))
    #expect(text.utf8.count < 1_000_000)
    #expect(text.contains("more creatives."))
  }
}
