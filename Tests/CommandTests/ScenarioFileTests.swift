import Jobs
import Testing

@testable import galley

@Suite struct ScenarioFileTests {
  private let program: GalleyProgram

  init() throws {
    program = try GalleyProgram()
  }

  private func creative(_ path: String) -> CreativeReference {
    CreativeReference(argument: path, path: program.folder + "/" + path, name: "ad")
  }

  @Test func liesInAFolderOrBesideAFile() throws {
    for file in ["folder/index.html", "folder/scenario.yaml", "one.html", "one.scenario.yaml", "two.html"] {
      try program.file(file)
    }
    #expect(ScenarioFile.beside(creative("folder"))?.name == "folder/scenario.yaml")
    #expect(ScenarioFile.beside(creative("folder/"))?.name == "folder/scenario.yaml")
    #expect(ScenarioFile.beside(creative("folder/index.html"))?.name == "folder/scenario.yaml")
    #expect(ScenarioFile.beside(creative("one.html"))?.path == program.folder + "/one.scenario.yaml")
    #expect(ScenarioFile.beside(creative("two.html")) == nil)
  }

  @Test func isNeverLookedForWithoutAFile() {
    #expect(ScenarioFile.beside(CreativeReference(argument: "https://a.example/", path: nil, name: "a")) == nil)
    #expect(ScenarioFile.beside(CreativeReference(argument: "-", path: "/tmp/stdin", name: "stdin")) == nil)
  }

  @Test func mustBeAReadableTextFile() {
    let missing = ScenarioFile(path: program.folder + "/none.yaml", name: "none.yaml")
    #expect(throws: Fault.request("scenario-missing", "can't read the scenario none.yaml")) { try missing.read() }
    #expect(throws: Fault.self) { try ScenarioFile(path: program.folder, name: "folder").read() }
  }
}
