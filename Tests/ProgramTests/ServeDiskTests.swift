import Foundation
import Testing

extension ProgramTier {
  /// A server whose disk fills up: a file system of its own.
  @Suite(.enabled(if: OwnMounts.areAllowed), .timeLimit(.minutes(2))) struct ServeDiskTests {
    private let program: Program
    private let pages: LoopbackServer

    init() throws {
      program = try Program()
      pages = try LoopbackServer { path, _ in path == "/stays" ? .init(body: "<p>ad<img src=/never>") : nil }
    }

    /// Writes until nothing more fits.
    private func fill(_ path: String) throws {
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      try #require(file >= 0)
      let page = [UInt8](repeating: 1, count: 4096)
      while write(file, page, page.count) == page.count {}
      #expect(errno == ENOSPC)
      close(file)
    }

    @Test func endsWhatItAcceptedAsSoonAsThereIsRoomAgain() async throws {
      let server = try await RunningServer(program, "--allow-private-network", disk: "24m")
      let filler = "/proc/\(server.program.id)/root\(program.folder)/data/filler"
      let accepted = try await server.send("POST", "/v1/renders", ["url": pages.address + "/stays", "timeout": 4])
      await pages.awaitRequest("/never")
      try fill(filler)
      async let told = server.send(
        "GET", "/v1/renders/\(accepted.id)/events", headers: ["Accept": "text/event-stream"])
      while try await !server.send("GET", "/metrics").text.contains("\ngalley_outcomes_unwritten 1\n") {
        // What ends gives back what it had for a moment.
        try fill(filler)
      }
      #expect(try await server.send("GET", "/v1/renders/\(accepted.id)").renderStatus == "running")
      #expect(try await server.send("GET", "/readyz").code == "outcomes-unwritten")
      #expect(try await server.send("POST", "/v1/renders", ["markup": "x"]).status == 507)
      try #require(unlink(filler) == 0)
      // Whoever followed all the while hears of the end once it is written.
      let events = try await told.text
      #expect(events.contains("\"status\":\"failed\"") && events.hasSuffix("event: end\ndata: {}\n\n"))
      #expect(try await server.send("GET", "/v1/renders/\(accepted.id)").renderStatus == "failed")
      #expect(try await server.render(["markup": "next"]).renderStatus == "completed")
      #expect(try await server.send("GET", "/readyz").status == 200)
    }
  }
}
