import Core
import Testing

@testable import Application

@Suite struct ConformanceReportTests {
  private let report = ConformanceReport([
    AssertionRow(section: 4, rule: "r", creative: "b", assertion: "x", passed: true),
    AssertionRow(section: 1, rule: "q", creative: "a", assertion: "y", passed: true),
    AssertionRow(section: 4, rule: "r", creative: "b", assertion: "z", passed: false, message: "expected 1, found 2"),
    AssertionRow(section: 4, rule: "s", creative: "c", assertion: "w", passed: false, message: "never"),
  ])

  @Test func sumsUpEachSection() {
    #expect(report.passed == 2 && report.failed == 2)
    #expect(report.sections.map(\.section) == [1, 4])
    #expect(report.sections.map(\.rules) == [1, 2])
    #expect(report.sections.map(\.passed) == [1, 1])
    #expect(report.sections.map(\.failed) == [0, 2])
  }

  @Test func alignsTheTable() {
    #expect(
      ConformanceTable(report).sections == """
        SECTION                       RULES  PASSED  FAILED
              1  Injection                1       1       0
              4  Events and dispatch      2       1       2
                 all                      3       2       2

        """)
  }

  @Test func listsFailuresUnderTheirCreative() {
    #expect(
      ConformanceTable(report).failures == """

        b: section 4, r
          failed: z
                  expected 1, found 2

        c: section 4, s
          failed: w
                  never

        """)
    #expect(ConformanceTable(ConformanceReport([])).failures == "")
  }
}

@Suite struct TAPReportTests {
  @Test func readsPlanPointsAndWhatStandsBelowThem() {
    let report = TAPReport("1..2\nok 1 - a rule\nnot ok 2 - another\n# expected 1, found 2\n# at once\n")
    #expect(report.plan == 2)
    #expect(
      report.points == [
        TAPReport.Point(number: 1, passed: true, description: "a rule"),
        TAPReport.Point(
          number: 2, passed: false, description: "another", diagnostics: ["expected 1, found 2", "at once"]),
      ])
    #expect(report.bailOut == nil)
  }

  @Test func skipsWhatIsNoTAP() {
    let report = TAPReport("TAP version 14\nhello\n# too early\n  ok 1 - indented\nok 1 - it\n")
    #expect(report.points == [TAPReport.Point(number: 1, passed: true, description: "it")])
    #expect(report.plan == nil)
  }

  @Test func countsOnWhereThereIsNoNumber() {
    #expect(TAPReport("ok\nok - second\nok 7\nnot ok").points.map(\.number) == [1, 2, 7, 8])
    #expect(TAPReport("ok - second").points.map(\.description) == ["second"])
  }

  @Test func keepsTheFirstPlanAndTheFirstReasonToGiveUp() {
    let report = TAPReport("Bail out! no mraid\nBail out! later\n1..3\n1..4")
    #expect(report.plan == 3)
    #expect(report.bailOut == "no mraid")
  }

  @Test(arguments: ["", "1..", "1..x", "2..4"]) func findsNoPlanIn(text: String) {
    #expect(TAPReport(text).plan == nil)
  }
}
