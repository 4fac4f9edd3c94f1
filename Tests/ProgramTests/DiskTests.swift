import Foundation
import Jobs
import Testing

extension ProgramTier {
  /// Result folders that can't take the results; each is a file system of its own that only the command sees.
  @Suite(.enabled(if: OwnMounts.areAllowed), .timeLimit(.minutes(1))) struct DiskTests {
    private let program: Program

    init() throws {
      program = try Program()
      try program.file("good.html")
      try program.file("disk/keep")
    }

    private func render(onto mount: String) async throws -> Program.Outcome {
      try await program.shell(
        """
        exec unshare --map-root-user --mount sh -c \
          'mount -t tmpfs -o \(mount) tmpfs disk && exec "$GALLEY" render --json --jobs 1 --out disk good.html good.html'
        """)
    }

    @Test func blamesTheMachineForAFullDisk() async throws {
      let outcome = try await render(onto: "size=64k")
      let results = try outcome.document().results
      #expect(results.map { $0.code ?? "fine" } == ["fine", "disk-full"])
      #expect(results.map(\.fault) == [nil, .engine])
      #expect(results[1].screenshots.isEmpty)
      #expect(outcome.code == 3)
    }

    @Test func blamesTheCallForAFolderThatMayNotBeWritten() async throws {
      let outcome = try await render(onto: "ro")
      #expect(outcome.code == 2)
      #expect(outcome.errors == "error: can't write to disk: read-only file system [output-not-writable]\n")
    }
  }
}
