import Checks
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReportCommandTests {
  private let program: GalleyProgram
  private static let names = ["one", "two", "three", "four", "five", "six", "fail"]
  private static let every = "--junit a/j.xml --sarif a/s.sarif --ctrf a/c.json --har a/h.har --html a/r.html"

  init() throws {
    program = try GalleyProgram()
    for name in Self.names { try program.file("ads/\(name).html") }
  }

  private func report(_ folder: String) throws -> CheckReport {
    let data = try Data(contentsOf: URL(filePath: "\(program.folder)/\(folder)/report.json"))
    return try JSONDecoder().decode(CheckReport.self, from: data)
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOf: URL(filePath: "\(program.folder)/\(file)"), encoding: .utf8)
  }

  @Test(arguments: [
    ("report nowhere --html r.html", 2), ("report ads --html r.html", 2), ("report ads", 2),
    ("check ads/one.html --shard 6/5", 2), ("render ads/one.html --shard 0/1", 2),
    ("merge-reports nowhere --out all", 2), ("merge-reports --out all", 2),
    ("check ads/one.html --html /proc/galley/r.html", 2),
  ])
  func refusesWrongCalls(arguments: String, code: Int32) async throws {
    #expect(try await program.run(arguments).code == code)
  }

  @Test func writesEveryReportOfACheckAndTheSameAgainFromItsFolder() async throws {
    _ = try await program.run("check ads --recursive \(Self.every)")
    let first = try ["j.xml", "s.sarif", "c.json", "h.har", "r.html"].map { try text("a/\($0)") }
    #expect(first.allSatisfy { !$0.isEmpty })
    #expect(first[0].contains("<testsuite name=\"one\""))
    let again = try await program.run("report galley-out \(Self.every)")
    #expect(again.code == 0)
    #expect(again.output == "")
    #expect(try ["j.xml", "s.sarif", "c.json", "h.har", "r.html"].map { try text("a/\($0)") } == first)
  }

  @Test func tellsGitHubAndKeepsWhatOthersWroteInTheSummary() async throws {
    try program.file("summary.md", "earlier\n")
    let outcome = try await program.shell(
      "GITHUB_STEP_SUMMARY=summary.md exec \"$GALLEY\" check ads/fail.html --github")
    #expect(outcome.code == 1)
    let summary = try text("summary.md")
    #expect(summary.hasPrefix("earlier\n## ❌ Galley"))
    #expect(summary.contains("| fail | failed |"))
  }

  @Test func keepsAnnotationsOutOfTheDocument() async throws {
    let outcome = try await program.run("check ads/fail.html --github --json")
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) }
  }

  @Test func shardsJoinToTheUnshardedRun() async throws {
    _ = try await program.run("check ads --recursive --out whole")
    for number in 1...3 {
      _ = try await program.run("check ads --recursive --out part-\(number) --shard \(number)/3")
    }
    let merged = try await program.run("merge-reports part-2 part-1 part-3 --out all --junit all/j.xml")
    #expect(merged.code == 1)
    #expect(try report("all") == report("whole"))
    #expect(try report("part-1").part?.total == Self.names.count)
    #expect(try (1...3).map { try report("part-\($0)").creatives.count }.reduce(0, +) == Self.names.count)
    for name in Self.names {
      #expect(FileManager.default.fileExists(atPath: "\(program.folder)/all/\(name)"))
    }
    #expect(try text("all/j.xml").contains("<testsuite name=\"fail\""))
  }

  @Test func aPartAloneIsNoWhole() async throws {
    _ = try await program.run("check ads --recursive --out part-1 --shard 1/3")
    let outcome = try await program.run("merge-reports part-1 --out all")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("the report of shard 2/3, 3/3 is missing"))
  }

  @Test func rendersAShareAndMakesNoFoldersForTheRest() async throws {
    for number in 1...2 {
      #expect(try await program.run("render ads --recursive --out out-\(number) --shard \(number)/2").code < 2)
    }
    let folders = try (1...2).map {
      Set(try FileManager.default.contentsOfDirectory(atPath: "\(program.folder)/out-\($0)"))
    }
    #expect(folders[0].union(folders[1]) == Set(Self.names))
    #expect(folders[0].isDisjoint(with: folders[1]))
    #expect(!folders[0].isEmpty && !folders[1].isEmpty)
  }

  @Test func whatIsNotThereIsReportedWithoutAFolder() async throws {
    let outcome = try await program.run("check /nowhere/at-all.html ads/one.html --junit j.xml --html r.html")
    #expect(outcome.code == 2)
    #expect(try report("galley-out").creatives.map(\.folder) == ["", "one"])
    #expect(try text("j.xml").contains("<error message="))
  }
}
