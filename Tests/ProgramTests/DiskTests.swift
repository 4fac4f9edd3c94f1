import Core
import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// Result folders that can't store the results; each is a file system that only the command sees.
  @Suite(.enabled(if: Tier.runs(where: OwnMounts.areAllowed)), .timeLimit(.minutes(1))) struct DiskTests {
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
      #expect(results.map(\.origin) == [nil, .engine])
      #expect(results[1].screenshots.isEmpty)
      #expect(outcome.code == 3)
    }

    @Test func blamesTheCallForAFolderThatMayNotBeWritten() async throws {
      let outcome = try await render(onto: "ro")
      #expect(outcome.code == 2)
      #expect(outcome.errors == "error: can't write to disk: read-only file system [output-unwritable]\n")
    }
  }
}

extension ServerTier {
  /// Server whose disk fills up: a file system of its own.
  @Suite(.enabled(if: Tier.runs(where: OwnMounts.areAllowed)), .timeLimit(.minutes(2))) struct ServeDiskTests {
    private let program: Program
    private let pages: LoopbackServer

    init() throws {
      program = try Program()
      pages = try LoopbackServer { path, _ in
        path == "/stays" ? .init(body: "<p>ad<script src=/never></script>") : nil
      }
    }

    /// Writes to a file until the disk is full.
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

extension ProgramTier {
  /// Users of services and images whose home doesn't exist.
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

/// Condition of tests that need features which some machines forbid.
enum Tier {
  /// Indicates if tests with a condition run. With `GALLEY_TEST_ALL` set, as in CI, all do, and a missing feature fails
  /// them.
  static func runs(where condition: Bool) -> Bool {
    condition || ProcessInfo.processInfo.environment["GALLEY_TEST_ALL"] != nil
  }
}

/// Availability of file systems that only one command sees.
enum OwnMounts {
  /// Indicates if this user may mount file systems; containers and hardened systems often forbid it.
  static let areAllowed =
    system("unshare --map-root-user --mount mount -t tmpfs tmpfs /mnt > /dev/null 2>&1") == 0

  /// Indicates if this user may create user and mount namespaces, as workers do.
  static let usersAreAllowed = system("unshare --map-current-user --mount true > /dev/null 2>&1") == 0
}
