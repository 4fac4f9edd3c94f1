import Foundation
import RenderModel
import Testing

extension ServerTier {
  /// Remains of one render for the next, and of one Galley for another.
  @Suite(.timeLimit(.minutes(2))) struct WorkerCleanlinessTests {
    private let program: Program
    private let server: LoopbackServer

    init() throws {
      program = try Program()
      // Pages that wait for a picture that never comes.
      server = try LoopbackServer { path, _ in
        path.hasSuffix("picture") ? nil : .init(body: "<p>ad<script src=\(path)-picture></script>")
      }
    }

    /// Indicates if this user may create network namespaces; containers and hardened systems often forbid it.
    static let namespacesAreAllowed = system("unshare --map-root-user --net true > /dev/null 2>&1") == 0

    @Test func theMachinesTimeFollowsAnother() async throws {
      let service = try await RunningServer(program, "--allow-private-network")
      for clock in ["virtual", "real"] {
        let page = "\(server.address)/\(clock)"
        let render = try await service.send(
          "POST", "/v1/renders", ["url": page, "clock": clock, "timeout": 4])
        #expect(render.status == 202)
        await server.awaitRequest("/\(clock)-picture")
        let processes = try #require(RunProcesses(of: service.program.id))
        let pages = processes.variables(.webProcess)
        #expect(!pages.isEmpty)
        let isVirtualTime = pages.contains { $0.hasPrefix("LD_PRELOAD=") && $0.contains("/libGalleyClock.so") }
        #expect(isVirtualTime == (clock == "virtual"))
        #expect(pages.contains("JSC_useConcurrentGC=0") == (clock == "virtual"))
        // Its time ends, not its worker's life.
        #expect(try await service.ended(render.id).renderStatus == "failed")
      }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
    func noFolderStaysAfterASignal(signal: Int32) async throws {
      let running = try program.start(
        "mkdir tmp; TMPDIR=$PWD/tmp exec \"$GALLEY\" render --timeout 20 --out out \(server.address)/page")
      await server.awaitRequest("/page-picture")
      let processes = try #require(RunProcesses(of: running.id))
      running.signal(signal)
      _ = await running.outcome()
      #expect(await processes.leftovers(after: 8) == [])
      // The guard tidies up once nothing of the run is left alive.
      let (patience, folder) = (ContinuousClock.now + .seconds(8), program.folder + "/tmp")
      var left: [String]
      repeat {
        left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("galley-engine-") }
        await Task.yield()
      } while !left.isEmpty && ContinuousClock.now < patience
      #expect(left == [])
    }

    @Test(.enabled(if: Tier.runs(where: WorkerCleanlinessTests.namespacesAreAllowed)))
    func galleysInNetworksOfTheirOwnShareTheFolderForTemporaryFiles() async throws {
      for name in ["a", "b", "c"] { try program.file("\(name).html") }
      // As many as start at once take each other's display soonest.
      let runs = try (0..<4).map { number in
        try program.start(
          "exec unshare --map-root-user --net \"$GALLEY\" render --json --jobs 2 --out out\(number) a.html b.html c.html"
        )
      }
      for run in runs {
        let outcome = await run.outcome()
        let results = try outcome.document().results
        #expect(results.map(\.outcome) == [.completed, .completed, .completed], "\(outcome.errors)")
        #expect(results.map(\.attempts) == [1, 1, 1], "\(outcome.errors)")
      }
    }

    @Test func aPipeBesideACreativeHoldsNobody() async throws {
      try program.file("ad/index.html")
      try program.file("good.html")
      #expect(mkfifo(program.folder + "/ad/scenario.yaml", 0o600) == 0)
      let outcome = try await program.render("--json ad good.html")
      #expect(try outcome.document().results.map { $0.code ?? "fine" }.sorted() == ["fine", "scenario-invalid"])
    }

    @Test func aScenarioMayComeByAPipe() async throws {
      try program.file("good.html")
      let piped = try await program.shell(
        "echo '- wait: {seconds: 0.1}' | \"$GALLEY\" render --json --out out good.html --scenario /dev/stdin")
      #expect(piped.code == 0)
      let endless = try await program.render("--json good.html --scenario /dev/zero")
      #expect(endless.code == 2)
    }
  }
}

extension ProgramTier {
  /// Files of the machine that the engine's network process can read, on kernels with Landlock.
  @Suite(.enabled(if: Tier.runs(where: Landlock.isThere)), .timeLimit(.minutes(2))) struct GuardTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Runs another program under that name, which is restricted as well.
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
      try program.file("ad/index.html", "<script src='\(server.address)/asked'></script>")
      let running = try program.start("exec \"$GALLEY\" render ad --timeout 60 --out out")
      defer { running.stop() }
      await server.awaitRequest("/asked")
      let processes = try #require(RunProcesses(of: running.id)).ids(.networkProcess)
      let guarded = try processes.map { process in
        try String(contentsOfFile: "/proc/\(process)/environ", encoding: .utf8).contains("/libGalleyGuard.so")
      }
      #expect(!guarded.isEmpty && guarded.allSatisfy { $0 })
    }
  }
}

/// Landlock, the kernel's function for a process to give up access to files.
enum Landlock {
  /// Indicates if the kernel has Landlock; the system call that returns its version has the same number on all
  /// machines.
  static let isThere =
    system("python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, 0, 0, 1) < 1)' 2> /dev/null") == 0
}
