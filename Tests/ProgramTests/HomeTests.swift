import Jobs
import Testing

extension ProgramTier {
  /// Users of services and images have homes that aren't there.
  @Suite(.timeLimit(.minutes(1))) struct HomeTests {
    @Test(arguments: [true, false]) func rendersWithoutAHome(sandbox: Bool) async throws {
      let program = try Program()
      try program.file("ad.html")
      let outcome = try await program.start(
        "HOME='\(program.folder)/none' exec \"$GALLEY\" render ad.html --out out --json", sandbox: sandbox
      ).outcome()
      #expect(try outcome.document().results.map(\.outcome) == [.completed], "\(outcome.errors)")
      #expect(!program.has("none"))
    }
  }
}
