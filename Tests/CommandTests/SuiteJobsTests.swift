import Conformance
import Foundation
import Jobs
import Stage
import Testing

@testable import galley

@Suite struct SuiteJobsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  private let program: GalleyProgram
  private let suite = SuiteFolder(path: root + "/" + SuiteFolder.standard)

  init() throws { program = try GalleyProgram() }

  private func jobs(_ cases: [ConformanceCase], takesPicture: Bool = false) throws -> [RenderJob] {
    try SuiteJobs(
      suite: suite, out: program.folder, limits: Limits(), options: RenderOptions(), takesPicture: takesPicture
    ).jobs(cases)
  }

  @Test func waitsForThePageAfterTheCasesOwnSteps() throws {
    let cases = try suite.cases()
    for (subject, job) in zip(cases, try jobs(cases)) {
      let own = subject.scenario?.steps ?? []
      let steps = try #require(job.scenario?.steps)
      #expect(Array(steps.dropLast()) == own)
      #expect(steps.last?.action == .evaluate("await (window.suite && suite.finished)"))
      #expect(job.placement.kind == subject.scenario?.placement?.kind ?? .banner)
    }
  }

  @Test func picturesTheResultsWhenTheyAreKept() throws {
    let job = try #require(try jobs(Array(suite.cases().prefix(1)), takesPicture: true).first)
    #expect(job.scenario?.steps.last?.action == .screenshot("results"))
  }

  @Test func rendersOnTheDeviceThatACaseAsksFor() throws {
    let cases = try suite.cases()
    let names = Set(try jobs(cases).map(\.device.name))
    #expect(names == ["conformance-phone", "conformance-refuses", "conformance-incapable", "conformance-vpaid"])
  }
}
