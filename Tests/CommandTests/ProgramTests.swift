import Core
import Foundation
import RenderModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProgramTests {
  private let program: GalleyProgram

  init() throws {
    program = try GalleyProgram()
    for name in ["good.html", "fail.html", "die.html", "hang.html", "slow.html"] { try program.file(name) }
    try FileManager.default.createDirectory(atPath: program.folder + "/empty", withIntermediateDirectories: true)
  }

  @Test(arguments: [
    ("render good.html", 0), ("devices", 0), ("--version", 0), ("render --help", 0),
    ("render fail.html", 1), ("render good.html empty", 1),
    ("render", 2), ("--bogus", 2), ("frobnicate", 2), ("render nowhere.html", 2), ("render good.html --timeout 0", 2),
    ("render good.html --device iphone15x", 2), ("render good.html --size 320", 2), ("render good.html --jobs 0", 2),
    ("render good.html --scenario nowhere.yaml", 2), ("render good.html --screen 10x10", 2),
    ("render good.html --placement interstitial --size 320x50", 2), ("render good.html --out /proc/galley", 2),
    ("render die.html fail.html nowhere.html", 3),
  ])
  func exitsByWhatHappened(arguments: String, code: Int32) async throws {
    #expect(try await program.run(arguments).code == code)
  }

  @Test func suggestsDevices() async throws {
    let outcome = try await program.run("render good.html --device iphone15x")
    #expect(outcome.errors.contains("did you mean iphone-15"))
    #expect(outcome.output == "")
  }

  @Test func tellsEachResultOnALineToAPipe() async throws {
    let outcome = try await program.run("render good.html empty")
    let good = "good   completed  default → expanded → default  1 screenshot  412 ms\n"
    #expect(outcome.output.contains(good))
    #expect(outcome.output.contains("  error: creative: empty has no index.html [index-missing]\n"))
    #expect(outcome.output.contains("screenshots: galley-out/good/screenshots\n"))
    #expect(outcome.output.contains("2 creatives: 1 completed, 1 failed in "))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(outcome.errors == "")
  }

  @Test func printsOneJSONDocumentInInputOrder() async throws {
    let outcome = try await program.run("render --json nowhere.html good.html fail.html")
    let document = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(document["galley"] as? String == Galley.version)
    let results = try #require(document["results"] as? [[String: Any]])
    #expect(results.map { $0["outcome"] as? String } == ["failed", "completed", "failed"])
    #expect(results.map { $0["code"] as? String } == ["file-missing", nil, "expectation-failed"])
    let summary = try #require(document["summary"] as? [String: Any])
    #expect(summary["total"] as? Int == 3)
    #expect(summary["failed"] as? Int == 2)
    #expect(summary["exitCode"] as? Int == 2)
    #expect(summary["wallMilliseconds"] is Int)
  }

  @Test func quietTellsFailuresOnly() async throws {
    let outcome = try await program.run("render -q good.html fail.html")
    #expect(outcome.output == "")
    #expect(outcome.errors == "fail: error: creative: no [expectation-failed]\n")
  }

  @Test func playsAScenarioBesideAndChargesAMalformedOneToItsCreative() async throws {
    try program.file("good.scenario.yaml", "- close\n")
    try program.file("fail.scenario.yaml", "- frobnicate\n")
    let outcome = try await program.run("render good.html fail.html")
    #expect(outcome.errors == "with a scenario of their own: good\n")
    #expect(outcome.output.contains("error: request: fail.scenario.yaml:1: "))
    #expect(outcome.output.contains("good  completed"))
    #expect(FileManager.default.fileExists(atPath: program.folder + "/galley-out/fail/result.json"))
    #expect(outcome.code == 2)
  }

  @Test func refusesAMalformedScenarioOptionBeforeAnythingStarts() async throws {
    try program.file("bad.yaml", "- frobnicate\n")
    let outcome = try await program.run("render good.html --scenario bad.yaml")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("bad.yaml:1: "))
    #expect(!FileManager.default.fileExists(atPath: program.folder + "/galley-out"))
  }

  @Test func removesAnEarlierRunsResultsOnly() async throws {
    for name in ["screenshots/009-old.png", "events.ndjson", "mine.txt"] { try program.file("galley-out/good/" + name) }
    try program.file("galley-out/good/result.json", #"{"schema":2,"outcome":"completed","creative":{"path":"x"}}"#)
    _ = try await program.run("render good.html")
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder + "/galley-out/good") == ["mine.txt"])
  }

  @Test func readsACreativeFromStandardInput() async throws {
    let outcome = try await program.shell("echo '<p>ad</p>' | \"$GALLEY\" render -")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("stdin  completed"))
  }

  @Test func writesADeadlineIntoTheResultFolder() async throws {
    let outcome = try await program.run("render slow.html good.html --timeout 0.1")
    #expect(outcome.code == 4)
    #expect(outcome.output.contains("error: deadline: not finished after 0.1 s and 5 s of grace [deadline-exceeded]"))
    #expect(FileManager.default.fileExists(atPath: program.folder + "/galley-out/slow/result.json"))
  }
}
