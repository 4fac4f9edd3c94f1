import Core
import MRAID
import RenderModel
import Testing

@testable import Application

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
    #expect(subject.device == nil && subject.ending == nil && subject.container == nil)
  }

  @Test(arguments: [("meta", "meta"), ("app-campaigns", "app-campaigns"), ("mraid-2", "mraid-2"), ("spec", nil)])
  func namesTheContainerThatShowsIt(name: String, container: String?) throws {
    let subject = try #require(try read(Self.whole + "<meta name=\"galley.container\" content=\"\(name)\">"))
    #expect(subject.container == container.flatMap { ContainerCatalogue.standard.container(named: $0) })
    #expect(subject.container?.name == container)
  }

  @Test(arguments: [("metta", "did you mean meta? "), ("", "")])
  func refusesAContainerThatIsNotThere(name: String, hint: String) {
    let page = Self.whole + "<meta name=\"galley.container\" content=\"\(name)\">"
    let names = ContainerCatalogue.standard.containers.map(\.name).joined(separator: ", ")
    let problem = "there is no container '\(name)'; \(hint)choose one of \(names)"
    #expect(throws: Fault.request("suite-invalid", "a.html: galley.container is wrong: \(problem)")) { try read(page) }
  }

  @Test func isNoneWithoutARule() throws {
    #expect(try read("<meta name=\"galley.first\" content=\"3\"><p>part two") == nil)
  }

  @Test(arguments: ["0", "13", "three"]) func refusesTheSection(number: String) {
    let page = Self.whole.replacing("\"3\"", with: "\"\(number)\"")
    #expect(throws: Fault.request("suite-invalid", "a.html: galley.section must be a number from 1 to 12")) {
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
    #expect(try read(Self.whole + "<meta name=\"galley.ending\" content=\"ad-load-failed\">")?.assertions == 5)
  }
}

@Suite struct CaseVerdictTests {
  private func subject(_ ending: String? = nil, scenario: Scenario? = nil) throws -> ConformanceCase {
    let page = """
      <meta name="galley.section" content="7"><meta name="galley.rule" content="r"><meta name="galley.plan" content="2">
      """
    let meta = ending.map { "<meta name=\"galley.ending\" content=\"\($0)\">" } ?? ""
    return try #require(try ConformanceCase(name: "a", page: Array((page + meta).utf8), scenario: scenario))
  }

  private func record(_ failure: Fault? = nil) -> RenderRecord {
    RenderRecord(
      creative: RenderRecord.Creative(path: "a.html"),
      device: RenderRecord.DeviceSummary(name: "d", width: 1, height: 1, scale: 1, renderScale: 1),
      outcome: failure == nil ? .completed : .failed, failure: failure)
  }

  private func failures(
    _ console: String, _ failure: Fault? = nil, ending: String? = nil, scenario: Scenario? = nil
  ) throws -> [String] {
    let verdict = CaseVerdict(try subject(ending, scenario: scenario), console: console, record: record(failure))
    return verdict.rows.filter { !$0.passed }.map { "\($0.assertion): \($0.message ?? "")" }
  }

  @Test func hasARowForEachAssertionInTheirOrder() throws {
    let verdict = CaseVerdict(try subject(), console: "1..2\nok 2 - b\nok 1 - a\n", record: record())
    #expect(verdict.rows.map(\.assertion) == ["a", "b"])
    #expect(verdict.rows.allSatisfy { $0.passed && $0.section == 7 && $0.rule == "r" && $0.creative == "a" })
  }

  @Test func saysWhatWasExpectedAndFound() throws {
    #expect(try failures("1..2\nok 1 - a\nnot ok 2 - b\n# expected 1, found 2") == ["b: expected 1, found 2"])
  }

  @Test(arguments: [
    ("", "prints its plan: expected 1..2, found none"),
    ("ok 1 - a\nok 2 - b", "prints its plan: expected 1..2, found none"),
    ("1..1\nok 1 - a", "prints its plan: expected 1..2, found 1..1"),
    ("1..2\nok 2 - b", "reports every planned assertion: 1 of 2; missing: 1"),
    ("1..2", "reports every planned assertion: 0 of 2; missing: 1, 2"),
    ("1..2\nok 1 - a\nok 2 - b\nok 3 - c", "reports no more than the planned assertions: 1 more than 2"),
    ("1..2\nok 1 - a\nok 2 - b\nok 2 - b", "reports no more than the planned assertions: 1 more than 2"),
    ("1..2\nok 1 - a\nok 2 - b\nBail out! Error: x", "runs to its end: bailed out: Error: x"),
  ])
  func isNotContentWith(console: String, says: String) throws {
    #expect(try failures(console) == [says])
  }

  @Test func failsWithItsRender() throws {
    let crash = Fault.creative("web-process-crashed", "the web process ended")
    let says = "the host does what the scenario expects: failed: the web process ended [web-process-crashed]"
    #expect(try failures("1..2\nok 1 - a\nok 2 - b", crash) == [says])
  }

  @Test func hasARowOfItsOwnForTheHost() throws {
    let expects = Scenario(source: "s", steps: [Scenario.Step(line: 1, action: .expect([.state(.default)]))])
    let console = "1..2\nok 1 - a\nok 2 - b"
    let verdict = CaseVerdict(try subject(scenario: expects), console: console, record: record())
    #expect(verdict.rows.count == 3 && verdict.rows.allSatisfy(\.passed))
  }

  @Test func wantsTheEndingItNames() throws {
    let console = "1..2\nok 1 - a\nok 2 - b"
    #expect(try failures(console, .creative("ad-load-failed", "no"), ending: "ad-load-failed") == [])
    #expect(try failures(console, ending: "ad-load-failed") == ["ends with ad-load-failed: completed: no reason given"])
  }
}
