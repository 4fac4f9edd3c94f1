import Checks
import Testing

@testable import Reports

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
    #expect(text.hasPrefix("## ❌ Galley: of 4 creatives 1 failed, 1 ran out of time"))
    #expect(text.contains("| early | failed | 2 | 1 | 0 |\n"))
    #expect(text.contains("| early | ✅ | ❌ |\n"))
    #expect(StepSummary.text(Sample.source(Sample.report([Sample.creative("fine")]))).hasPrefix("## ✅"))
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
