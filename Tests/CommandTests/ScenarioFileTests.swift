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
}
