import Foundation
import Testing

extension ProgramTier {
  /// What the engine's network process can read of the machine, where the kernel has Landlock.
  @Suite(.enabled(if: Landlock.isThere), .timeLimit(.minutes(2))) struct GuardTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Any program of that name is shut off.
    @Test func readsNoneOfTheMachinesFilesButWhatItNeeds() async throws {
      try program.file("secret.txt", "secret")
      let outcome = try await program.shell(
        """
        cp "$(command -v cat)" WebKitNetworkProcess
        export LD_PRELOAD="${GALLEY%/*}/libGalleyGuard.so"
        for file in secret.txt /etc/passwd /etc/hosts /proc/self/status; do
          ./WebKitNetworkProcess "$file" > /dev/null 2>&1 && echo "$file"
        done
        cat secret.txt
        """)
      #expect(outcome.output == "/etc/hosts\n/proc/self/status\nsecret", "\(outcome.errors)")
    }

    @Test func holdsInEveryWorker() async throws {
      let server = try LoopbackServer { _, _ in nil }
      try program.file("ad/index.html", "<img src='\(server.address)/asked'>")
      let running = try program.start("exec \"$GALLEY\" render ad --timeout 60 --out out")
      defer { running.stop() }
      await server.awaitRequest("/asked")
      let guarded = try networkProcesses(of: program.folder).map { process in
        try String(contentsOfFile: "/proc/\(process)/environ", encoding: .utf8).contains("/libGalleyGuard.so")
      }
      #expect(!guarded.isEmpty && guarded.allSatisfy { $0 })
    }

    /// Those of workers that were started in a folder.
    private func networkProcesses(of folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { process in
        guard Int(process) != nil else { return false }
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
        return program?.hasSuffix("/WebKitNetworkProcess") == true && place == folder
      }
    }
  }
}
