import Testing

@testable import Conformance

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
