import Application
import Core
import Device
import Foundation
import MRAID
import RenderModel
import Testing

@testable import Terminal
@testable import galley

@Suite struct ConformanceDocumentTests {
  private static let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Schemas/conformance.schema.json")

  private func object(_ value: Any?) throws -> [String: Any] { try #require(value as? [String: Any]) }

  /// Returns the allowed and the required members of a schema's object.
  private func members(_ schema: [String: Any]) throws -> (allowed: Set<String>, required: Set<String>) {
    let required = try #require(schema["required"] as? [String])
    #expect(schema["additionalProperties"] as? Bool == false)
    return (Set(try object(schema["properties"]).keys), Set(required))
  }

  @Test func hasWhatItsSchemaSays() throws {
    let rows = [
      AssertionRow(section: 3, rule: "r", creative: "a", assertion: "x", passed: true),
      AssertionRow(section: 3, rule: "r", creative: "a", assertion: "y", passed: false, message: "found 1"),
    ]
    let outcome = ConformanceRun.Outcome(report: ConformanceReport(rows), interrupted: false, wall: .milliseconds(1234))
    let text = try JSONText.of(ConformanceDocument(outcome))
    let document = try object(JSONSerialization.jsonObject(with: Data(text.utf8)))
    let schema = try object(JSONSerialization.jsonObject(with: Data(contentsOf: Self.schema)))
    let parts = try object(schema["properties"])
    var shapes = [(schema, [document])]
    for list in ["sections", "assertions"] {
      shapes.append((try object(object(parts[list])["items"]), document[list] as? [[String: Any]] ?? []))
    }
    for (shape, values) in shapes {
      let (allowed, required) = try members(shape)
      #expect(!values.isEmpty)
      for value in values { #expect(required.isSubset(of: value.keys) && Set(value.keys).isSubset(of: allowed)) }
    }
    #expect(document["passed"] as? Int == 1 && document["failed"] as? Int == 1)
    #expect(document["wallMilliseconds"] as? Int == 1234)
  }
}

@Suite struct SuiteFolderTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  private static let suite = SuiteFolder(path: root + "/" + SuiteFolder.standard)

  @Test func isFoundAboveTheProgram() throws {
    let found = try SuiteFolder.find(nil, program: Self.root + "/.build/debug/galley")
    #expect(FileManager.default.fileExists(atPath: found.path + "/suite.js"))
  }

  @Test func everyRuleStandsInOneCreative() throws {
    let cases = try Self.suite.cases()
    #expect(Set(cases.map(\.rule)).count == cases.count)
    #expect(Set(cases.map(\.section)) == Set(ConformanceSection.allCases))
    #expect(cases.map(\.assertions).reduce(0, +) >= 120)
  }

  @Test func everyDeviceCanBeRead() throws {
    for subject in try Self.suite.cases() { _ = try Self.suite.device(of: subject) }
  }

  @Test func everyHostOfPlayablesHasAtLeastThreeRules() throws {
    let cases = try Self.suite.cases()
    #expect(cases.allSatisfy { ($0.section == .playables) == ($0.container?.isForPlayables == true) })
    for host in ContainerCatalogue.standard.containers.filter(\.isForPlayables) {
      let count = cases.count { $0.container == host }
      #expect(count >= 3, "\(host.name) has \(count)")
    }
  }

  /// Compares the table in the reference with the suite, so that it stays true without manual work.
  @Test func theReferenceHasItsTable() throws {
    let reference = try String(contentsOfFile: Self.root + "/docs/reference/conformance.md", encoding: .utf8)
    let cases = try Self.suite.cases()
    let rows = ConformanceSection.allCases.map { section in
      let own = cases.filter { $0.section == section }
      return "| \(section.rawValue) | \(section.title) | \(own.count) | \(own.map(\.assertions).reduce(0, +)) |"
    }
    let sum = "| | all | \(cases.count) | \(cases.map(\.assertions).reduce(0, +)) |"
    let table = (rows + [sum]).joined(separator: "\n") + "\n"
    let hasTable = reference.contains(table)
    #expect(hasTable, "docs/reference/conformance.md should have:\n\(table)")
  }
}

@Suite struct SuiteJobsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  private let program: GalleyProgram
  private let suite = SuiteFolder(path: root + "/" + SuiteFolder.standard)

  init() throws { program = try GalleyProgram() }

  private func jobs(_ cases: [ConformanceCase], takesScreenshot: Bool = false) throws -> [RenderJob] {
    try SuiteJobs(
      suite: suite, out: program.folder, limits: Limits(), options: RenderOptions(), takesScreenshot: takesScreenshot
    ).jobs(cases)
  }

  @Test func waitsForThePageAfterTheCasesOwnSteps() throws {
    let cases = try suite.cases()
    for (subject, job) in zip(cases, try jobs(cases)) {
      let own = subject.scenario?.steps ?? []
      let steps = try #require(job.scenario?.steps)
      #expect(Array(steps.dropLast()) == own)
      #expect(steps.last?.action == .evaluate("await (window.suite && suite.finished)"))
    }
  }

  @Test func rendersInTheContainerAndPlacementThatACaseAsksFor() throws {
    let cases = try suite.cases()
    for (subject, job) in zip(cases, try jobs(cases)) {
      #expect(job.container == subject.container)
      let kind = subject.section == .playables ? .interstitial : subject.scenario?.placement?.kind ?? .banner
      #expect(job.placement.kind == kind, "\(subject.name)")
      #expect(job.warnings == [])
    }
  }

  @Test func picturesTheResultsWhenTheyAreKept() throws {
    let job = try #require(try jobs(Array(suite.cases().prefix(1)), takesScreenshot: true).first)
    #expect(job.scenario?.steps.last?.action == .screenshot("results"))
  }

  @Test func rendersOnTheDeviceThatACaseAsksFor() throws {
    let cases = try suite.cases()
    let names = Set(try jobs(cases).map(\.device.name))
    #expect(names == ["conformance-phone", "conformance-refuses", "conformance-incapable", "conformance-vpaid"])
  }
}
