import Application
import Core
import Device
import Foundation
import RenderModel
import TestFolders
import Testing

@testable import galley

/// Protection of creatives' own files from results.
@Suite struct CreativePlacesTests {
  private let program: GalleyProgram

  init() throws {
    program = try GalleyProgram()
    for file in ["c/app/index.html", "c/app/screenshots/1.png", "c/app/deep/x.png", "page.html"] {
      try program.file(file, "mine")
    }
    try FileManager.default.createSymbolicLink(atPath: program.folder + "/link", withDestinationPath: "c")
    try FileManager.default.createDirectory(atPath: program.folder + "/e", withIntermediateDirectories: true)
  }

  @Test(arguments: [
    "c/app --out c", "c/app --out link", "link/app --out c", "c/app --out c/app", "c/app --out c/app/deep",
    "c/app --out e/../c", "c/app page.html --out c/app/new", "--recursive c --out c",
  ]) func refusesResultsInACreative(arguments: String) async throws {
    let before = try contents()
    let outcome = try await program.run("render \(arguments)")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("[output-in-creative]"))
    #expect(try contents() == before, "nothing was written or removed")
  }

  @Test(arguments: ["page.html", "page.html --out .", "c/app --out e", "c/app/index.html --out c/app/out"])
  func takesResultsBesideACreative(arguments: String) async throws {
    let outcome = try await program.run("render \(arguments)")
    #expect(outcome.code == 0)
    #expect(try String(contentsOfFile: program.folder + "/c/app/screenshots/1.png", encoding: .utf8) == "mine")
  }

  @Test func keepsWhatBearsTheNamesOfResults() async throws {
    try program.file("out/page/screenshots/mine.png", "mine")
    let outcome = try await program.run("render page.html --out out")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("[output-not-a-result]"))
    #expect(FileManager.default.fileExists(atPath: program.folder + "/out/page/screenshots/mine.png"))
  }

  private func contents() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: program.folder).sorted()
  }
}

@Suite struct ScenarioFileTests {
  @Test func mustBeAReadableTextFile() throws {
    let program = try GalleyProgram()
    let missing = ScenarioFile(path: program.folder + "/none.yaml", name: "none.yaml")
    let fault = Fault.request("scenario-missing", "can't read the scenario none.yaml: no such file or directory")
    #expect(throws: fault) { try missing.read() }
    #expect(throws: Fault.self) { try ScenarioFile(path: program.folder, name: "folder").read() }
  }
}

@Suite struct FeedPlannerTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write("one.html", "<p>one</p>")
    try folder.write("two.html", "<p>two</p>")
  }

  private func plan(_ creatives: [String], feed: String = "stream.yaml") throws(Fault) -> BatchPlan {
    let template = JobTemplate(
      device: DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName)!, limits: Limits(),
      options: RenderOptions())
    return try BatchPlanner(out: folder.path + "/out", template: template, feed: folder.path + "/" + feed).plan(
      creatives.map { folder.path + "/" + $0 }, recursive: false, spool: StandardInputSpool.fill)
  }

  @Test func `all creatives are the ads of one render, in the order given`() throws {
    try folder.write("stream.yaml", "sources: {users: u, albums: a, pictures: p}")
    try folder.write("stream.scenario.yaml", "- scroll: 100")
    let plan = try plan(["two.html", "one.html"])
    let job = try #require(plan.jobs.first)
    #expect(plan.jobs.count == 1)
    #expect(job.placement == Placement(kind: .feed))
    #expect(job.output.hasSuffix("/out/stream"))
    #expect(job.feed?.creatives.map(\.name) == ["two", "one"])
    #expect(job.scenario?.steps.map(\.action) == [.scroll(to: 100)])
    #expect(plan.withOwnScenario == ["stream"])
  }

  @Test func `what is wrong with the feed or a creative is refused before anything renders`() throws {
    try folder.write("stream.yaml", "sources: {users: u, albums: a, pictures: p}\nads: {siz: 1x1}\n")
    let broken = #expect(throws: Fault.self) { try plan(["one.html"]) }
    #expect(broken?.code == "feed-invalid")
    #expect(broken?.message.contains("stream.yaml:2: unknown key \"siz\" in ads; did you mean size?") == true)
    #expect(#expect(throws: Fault.self) { try plan(["one.html"], feed: "none.yaml") }?.code == "feed-missing")
    #expect(#expect(throws: Fault.self) { try plan(["three.html"]) }?.origin == .request)
    #expect(#expect(throws: Fault.self) { try plan([]) }?.code == "creatives-missing")
  }
}
