import Jobs
import MRAID
import Testing

@testable import Conformance

@Suite struct ConformanceCaseTests {
  private static let whole = """
    <meta name="galley.section" content="3"><meta name="galley.rule" content="close() &amp; back">
    <meta name="galley.plan" content="4">
    """

  private func read(_ page: String, scenario: Scenario? = nil) throws(Fault) -> ConformanceCase? {
    try ConformanceCase(name: "a", page: Array(page.utf8), scenario: scenario)
  }

  @Test func readsRuleSectionAndPlan() throws {
    let subject = try #require(try read(Self.whole))
    #expect(subject.section == .states)
    #expect(subject.rule == "close() & back")
    #expect(subject.assertions == 4)
    #expect(subject.device == nil && subject.ending == nil)
  }

  @Test func isNoneWithoutARule() throws {
    #expect(try read("<meta name=\"galley.first\" content=\"3\"><p>part two") == nil)
  }

  @Test(arguments: ["0", "12", "three"]) func refusesTheSection(number: String) {
    let page = Self.whole.replacing("\"3\"", with: "\"\(number)\"")
    #expect(throws: Fault.request("suite-invalid", "a.html: galley.section must be a number from 1 to 11")) {
      try read(page)
    }
  }

  @Test(arguments: ["0", "-1", "many"]) func refusesThePlan(number: String) {
    let page = Self.whole.replacing("\"4\"", with: "\"\(number)\"")
    #expect(throws: Fault.request("suite-invalid", "a.html: galley.plan must be the number of its assertions")) {
      try read(page)
    }
  }

  @Test func countsWhatTheScenarioExpectsAsOne() throws {
    let acts = Scenario(source: "s", steps: [Scenario.Step(line: 1, action: .close)])
    let expects = Scenario(source: "s", steps: [Scenario.Step(line: 1, action: .expect([.state(.default)]))])
    #expect(try read(Self.whole, scenario: acts)?.assertions == 4)
    #expect(try read(Self.whole, scenario: expects)?.assertions == 5)
    #expect(try read(Self.whole + "<meta name=\"galley.ending\" content=\"load-failed\">")?.assertions == 5)
  }
}
