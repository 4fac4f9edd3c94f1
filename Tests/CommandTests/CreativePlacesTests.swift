import Foundation
import Jobs
import Testing

@testable import galley

/// No result goes where a creative's own files are.
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
