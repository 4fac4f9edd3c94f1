import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// The fork server with programs of the tests' own in a web process's place, and in Galley.
  @Suite(.enabled(if: Tier.runs(where: OwnMounts.usersAreAllowed)), .timeLimit(.minutes(2))) struct ForkServerTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Runs the cases that `Scripts/lib/verify/forks` describes.
    @Test(arguments: [
      "isolation", "hijack", "memory", "ordinary", "unconfined", "worker", "child", "client", "bubblewrap", "server",
      "child-unsandboxed", "client-unsandboxed", "server-unsandboxed",
    ])
    func holds(what: String) async throws {
      let scripts = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Scripts/lib")
      let outcome = try await program.shell(
        "exec python3 '\(scripts.standardized.path())' verify/forks/trial \(what) \"${GALLEY%/*}\"")
      #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test(arguments: [true, false]) func forksTheWebProcessesOfARender(sandbox: Bool) async throws {
      let server = try LoopbackServer { _, _ in nil }
      try program.file("ad/index.html", "<script src='\(server.address)/asked'></script>")
      let running = try program.start("exec \"$GALLEY\" render ad --timeout 60 --out out", sandbox: sandbox)
      defer { running.stop() }
      await server.awaitRequest("/asked")
      let processes = try #require(RunProcesses(of: running.id))
      let forks = try #require(processes.ids(.forkServer).first)
      let pages = processes.ids(.webProcess)
      #expect(!pages.isEmpty && pages.allSatisfy { RunProcesses.parent(of: $0) == forks })
    }

    /// Measures the depth of a script's recursion, which is that of any web process since children know their stack.
    @Test func leavesScriptsTheirStack() async throws {
      try program.file(
        "ad.html",
        """
        <script>
        let depth = 0;
        const fall = () => { depth += 1; fall(); };
        try { fall(); } catch (error) { console.log(`${error.name} ${depth}`); }
        </script>
        """)
      var depths: [Int] = []
      for setting in ["on", "off"] {
        let outcome = try await program.shell(
          "GALLEY_FORK_SERVER=\(setting) \"$GALLEY\" render ad.html --out \(setting) --json > /dev/null;"
            + " grep --only-matching 'RangeError [0-9]*' \(setting)/ad/events.ndjson")
        depths.append(
          try #require(Int(outcome.output.dropFirst("RangeError ".count).trimmingCharacters(in: .newlines))))
      }
      // Not the same: what the engine has compiled by then takes less of it.
      #expect(depths[0] < depths[1] * 2 && depths[1] < depths[0] * 2, "\(depths)")
    }

    @Test func saysWhereItIsSwitchedOff() async throws {
      try program.file("ad.html")
      let plain = try await program.shell("exec \"$GALLEY\" render ad.html --out out --json")
      let without = try await program.shell(
        "GALLEY_FORK_SERVER=off exec \"$GALLEY\" render ad.html --out out --json")
      #expect(try plain.document().results.map(\.engine?.unforked) == [nil])
      #expect(try without.document().results.map(\.engine?.unforked) == ["the fork server is switched off"])
    }
  }
}
