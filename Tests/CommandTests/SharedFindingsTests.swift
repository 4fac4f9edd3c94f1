import ArgumentParser
import Checks
import Core
import RenderModel
import Testing

@testable import Terminal

/// Findings that many creatives share are printed once; those of one creative are printed with it.
@Suite struct SharedFindingsTests {
  private func creative(_ name: String, _ findings: [Finding]) -> CreativeReport {
    CreativeReport(
      name: name, folder: name, record: .fake(), status: .failed, findings: findings, suppressed: [], brokenChecks: [])
  }

  private func finding(_ check: String, _ message: String, line: Int? = nil) -> Finding {
    Finding(
      check: check, severity: .warning, message: message, place: line.map { Finding.Place(file: "a.html", line: $0) },
      key: check)
  }

  private func text(
    _ creatives: [CreativeReport], _ options: [String] = [], rules: [CheckReport.Rule] = []
  ) throws -> String {
    var report = CheckReport(galley: "1", rules: rules, profiles: [], creatives: creatives)
    report.failsOn = .error
    return try HostileText.captured { console in
      try CheckReporter(output: try OutputOptions.parse(options), console: console, out: "out").printMessage(report)
    }
  }

  @Test func `where nobody tapped, the end says once that clicks weren't judged`() throws {
    var (a, b) = (creative("a", []), creative("b", []))
    (a.touched, b.touched) = (false, true)
    let line = "no tap was tried in a, so clicks weren't checked: use --explore or a scenario\n"
    #expect(try text([a, b]).contains(line))
    #expect(try !text([b]).contains("no tap was tried"))
  }

  @Test func `a network whose rules weren't all tried has a line, a mark in the table and a count at the end`() throws {
    var first = creative("first", [])
    let touch = CreativeReport.NotTried(check: "click-without-open", needs: [.touch])
    let others = ["covered-close", "dead-tap"].map { CreativeReport.NotTried(check: $0, needs: [.exploration]) }
    first.acceptance = [.init(profile: "iab"), .init(profile: "unity", notTried: [touch] + others)]
    var second = creative("second", [])
    second.acceptance = [.init(profile: "iab", refusedBy: ["popup"]), .init(profile: "unity")]
    var report = CheckReport(
      galley: "1", rules: [],
      profiles: [.init(id: "iab", title: "IAB"), .init(id: "unity", title: "Unity Ads")], creatives: [first, second])
    report.failsOn = .error
    let text = try HostileText.captured { console in
      try CheckReporter(output: try OutputOptions.parse([]), console: console, out: "out").printMessage(report)
    }
    #expect(
      text.contains(
        "\n  unity: not tried: click-without-open (nothing was tapped; use --explore or --scenario), "
          + "covered-close, dead-tap (the ad wasn't explored; use --explore)\n"))
    #expect(
      text.contains(
        """
        accepted by
                  iab  unity
          first   yes  not tried
          second  no   yes

        """))
    #expect(text.contains("; networks: 1 not tried; report: out/report.json\n"))
  }

  @Test func `three creatives share a finding, two don't`() throws {
    let shared = finding("missing-title", "the document has no title", line: 3)
    let pair = finding("dialog", "it opens a dialog")
    let creatives = [
      creative("a", [shared, pair]), creative("b", [pair, finding("missing-title", "the document has no title")]),
      creative("c", [shared, finding("popup", "c alone")]),
    ]
    let told = try text(creatives)
    #expect(
      told.hasPrefix(
        """
        a  failed  2 warnings
          warning  dialog: it opens a dialog
          below    missing-title
        b  failed  2 warnings
          warning  dialog: it opens a dialog
          below    missing-title
        c  failed  2 warnings
          warning  popup: c alone
          below    missing-title

        in 3 of 3 creatives
          warning  missing-title: the document has no title
                   a, b, c

        """), "\(told)")
    #expect(try !text(Array(creatives.prefix(2))).contains("below"))
  }

  @Test func `findings of one check in a row have its remedy once`() throws {
    let rules = ["popup", "dialog"].map { id in
      CheckReport.Rule(
        id: id, family: .robustness, severity: .warning, title: id, why: "It is shown.", remedy: "Do without a \(id).",
        source: Citation(title: "ours", url: "https://example.com", date: "2026-11-26"))
    }
    let findings = [
      finding("popup", "one"), finding("popup", "two"), finding("dialog", "three"), finding("popup", "four"),
    ]
    #expect(
      try text([creative("a", findings)], rules: rules).hasPrefix(
        """
        a  failed  4 warnings
          warning  popup: one
          warning  popup: two
                   Do without a popup.
          warning  dialog: three
                   Do without a dialog.
          warning  popup: four
                   Do without a popup.

        """))
  }

  @Test func `of many creatives five are named`() throws {
    let creatives = (1...9).map { creative("ad-\($0)", [finding("popup", "x"), finding("dialog", "y")]) }
    let told = try text(creatives)
    #expect(told.contains("           ad-1, ad-2, ad-3, ad-4, ad-5 and 4 more\n"))
    #expect(told.matches(of: /in 9 of 9 creatives/).count == 2)
    #expect(told.contains("  below    popup, dialog\n"))
  }
}
