import Testing

@testable import Conformance

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
