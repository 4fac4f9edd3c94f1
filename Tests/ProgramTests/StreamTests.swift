import Foundation
import Jobs
import Testing

extension ProgramTier {
  /// Standard input and output in the ways a shell can hand them over.
  @Suite(.timeLimit(.minutes(1))) struct StreamTests {
    private let program: Program

    init() throws {
      program = try Program()
      try program.file("good.html")
    }

    @Test func rendersAFragmentOrAZipFromStandardInput() async throws {
      let fragment = try await program.shell("echo '<b>ad</b>' | \"$GALLEY\" render --json --out out -")
      #expect(try fragment.document().results.map(\.creative.kind) == ["fragment"])
      try program.file("ad.zip", StoredZip.of(["index.html"]))
      let zip = try await program.shell("\"$GALLEY\" render --json --out out - < ad.zip")
      #expect(try zip.document().results.map(\.creative.kind) == ["zip"])
    }

    @Test(arguments: [
      ("< /dev/null", "empty", 1), ("<&-", "stdin-unreadable", 2), ("< .", "stdin-unreadable", 2),
    ])
    func refusesBrokenInputAndRendersTheRest(redirection: String, code: String, exit: Int32) async throws {
      let outcome = try await program.shell("\"$GALLEY\" render --json --out out - good.html \(redirection)")
      #expect(try outcome.document().endings == ["-": code, "good.html": "completed"])
      #expect(outcome.code == exit)
    }

    @Test func readsStandardInputOnce() async throws {
      let outcome = try await program.shell("echo '<b>ad</b>' | \"$GALLEY\" render --json --out out - -")
      #expect(try outcome.document().results.map { $0.code ?? "fine" } == ["fine", "stdin-twice"])
      #expect(outcome.code == 2)
    }

    @Test func leavesNoSpooledInputBehind() async throws {
      let running = try program.start("mkdir spool; yes | TMPDIR=$PWD/spool exec \"$GALLEY\" render --out out -")
      _ = await running.outcome()
      #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder + "/spool") == [])
    }

    @Test func failsWhenItsOutputCantBeWritten() async throws {
      let full = try await program.render("--json good.html > /dev/full")
      #expect(full.code == 3)
      #expect(full.errors.contains("[output-failed]"))
      #expect(try await program.render("good.html >&-").code == 0)
      #expect(try await program.render("good.html <&- >&- 2>&-").code == 0)
    }
  }
}
