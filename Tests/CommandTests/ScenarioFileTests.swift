import Foundation
import Jobs
import Testing

@testable import galley

@Suite struct ScenarioFileTests {
  @Test func mustBeAReadableTextFile() throws {
    let program = try GalleyProgram()
    let missing = ScenarioFile(path: program.folder + "/none.yaml", name: "none.yaml")
    let fault = Fault.request("scenario-missing", "can't read the scenario none.yaml: no such file or directory")
    #expect(throws: fault) { try missing.read() }
    #expect(throws: Fault.self) { try ScenarioFile(path: program.folder, name: "folder").read() }
  }

  @Test func besideACreativeIsAFileInItsFolder() throws {
    try program.file("secret.yaml")
    for folder in ["pipe", "link", "inner"] { try program.file("\(folder)/index.html") }
    #expect(mkfifo(program.folder + "/pipe/scenario.yaml", 0o600) == 0)
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: program.folder + "/link/scenario.yaml", withDestinationPath: program.folder + "/secret.yaml")
    try program.file("inner/real.yaml", "- close\n")
    try files.createSymbolicLink(atPath: program.folder + "/inner/scenario.yaml", withDestinationPath: "real.yaml")
    let pipe = try #require(ScenarioFile.beside(creative("pipe")))
    #expect(
      throws: Fault.request(
        "scenario-invalid", "can't read the scenario pipe/scenario.yaml: it is no regular file")
    ) { try pipe.read() }
    let link = try #require(ScenarioFile.beside(creative("link")))
    #expect(
      throws: Fault.request("scenario-invalid", "link/scenario.yaml leads out of the creative's folder")
    ) { try link.read() }
    let inner = try #require(ScenarioFile.beside(creative("inner")))
    #expect(try inner.read().steps.count == 1)
  }
}
