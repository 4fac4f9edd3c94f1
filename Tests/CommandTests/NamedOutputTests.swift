import Foundation
import Testing

/// Protection of a call's inputs from its own outputs.
@Suite struct NamedOutputTests {
  private let program: GalleyProgram

  init() throws {
    program = try GalleyProgram()
    try program.file("mine.html", "mine")
    try program.file("c/app/index.html", "mine")
    try program.file("tap.yaml", "- wait: 0.01\n")
    try FileManager.default.linkItem(atPath: program.folder + "/mine.html", toPath: program.folder + "/same.html")
    try FileManager.default.createSymbolicLink(atPath: program.folder + "/link.html", withDestinationPath: "mine.html")
  }

  @Test(arguments: [
    "check mine.html --html mine.html", "check mine.html --html link.html", "check mine.html --junit same.html",
    "check mine.html --html ./c/../mine.html", "check mine.html --trace mine.html",
    "render mine.html --trace mine.html",
    "check mine.html --scenario tap.yaml --sarif tap.yaml", "compare-consent mine.html --html mine.html",
    "compare-networks mine.html --html mine.html", "compare-containers mine.html --html mine.html",
    "baseline verify mine.html --html mine.html", "diff mine.html mine.html --html mine.html",
  ]) func refusesToWriteOverWhatIsRead(arguments: String) async throws {
    let outcome = try await program.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("output-is-input"), "\(outcome.errors)")
    #expect(try text("mine.html") == "mine")
    #expect(try text("tap.yaml") == "- wait: 0.01\n")
  }

  @Test(arguments: ["--sarif c/app/index.html", "--html c/app/report.html", "--junit c/app/new/report.xml"])
  func refusesFilesInACreative(report: String) async throws {
    let outcome = try await program.run("check c/app \(report)")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("output-in-creative"), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder + "/c/app") == ["index.html"])
    #expect(try text("c/app/index.html") == "mine")
  }

  @Test func refusesTwoOutputsInOneFile() async throws {
    let outcome = try await program.run("check mine.html --junit same.xml --sarif ./same.xml")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("output-twice"), "\(outcome.errors)")
  }

  @Test func takesReportsBesideACreative() async throws {
    let outcome = try await program.run("check c/app --html c/report.html --junit /dev/null --sarif /dev/null")
    #expect(!outcome.errors.contains("[output-"), "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: program.folder + "/c/report.html"))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(program.folder)/\(name)", encoding: .utf8)
  }
}
