import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// Remains of a run after one of its processes is killed, with WebKit's sandbox and without.
  @Suite(.timeLimit(.minutes(2))) struct EndingTests {
    private let program: Program
    private let server: LoopbackServer

    init() throws {
      program = try Program()
      // The first time a page waits for its picture; later renders of it get an answer.
      server = try LoopbackServer { path, time in
        switch path {
        case "/busy": .init(body: "<p>ad<script>fetch('/reached'); setTimeout(() => { while (true); }, 50)</script>")
        case "/waits": .init(body: "<p>ad<script src=/picture></script>")
        case "/ad": .init(body: "<p>ad")
        case "/picture" where time == 1: nil
        default: .init(type: "text/plain")
        }
      }
    }

    /// Starts a render of a page and returns once that page has requested `path`.
    private func start(_ page: String, asks path: String, sandbox: Bool) async throws -> (RunningProgram, RunProcesses)
    {
      let running = try program.start(
        "exec \"$GALLEY\" render --json --timeout 20 --out out \(server.address)\(page)", sandbox: sandbox)
      await server.awaitRequest(path)
      return (running, try #require(RunProcesses(of: running.id)))
    }

    @Test(arguments: [RunProcesses.Kind.worker, .webProcess, .forkServer, .networkProcess, .display], [true, false])
    func rendersAgainWhatLostAProcess(kind: RunProcesses.Kind, sandbox: Bool) async throws {
      let (running, processes) = try await start("/waits", asks: "/picture", sandbox: sandbox)
      #expect(processes.kill(kind))
      let outcome = await running.outcome()
      let results = try outcome.document().results
      #expect(results.map(\.outcome) == [.completed])
      #expect(results.map(\.engine?.sandbox) == [sandbox])
      #expect(kind == .networkProcess || results.map(\.attempts) == [2])
      #expect(outcome.code == 0)
      #expect(await processes.leftovers(after: 5) == [])
    }

    @Test(arguments: [true, false])
    func startsAgainWhatLostItsDisplayAsItBegan(sandbox: Bool) async throws {
      let running = try program.start("exec \"$GALLEY\" render --json --out out \(server.address)/ad", sandbox: sandbox)
      // It begins before the worker's libraries are linked, and is the worker's all the same.
      let processes = try #require(await RunProcesses.beginning(with: .display, of: running.id))
      #expect(processes.kill(.display))
      let outcome = await running.outcome()
      #expect(try outcome.document().results.map(\.outcome) == [.completed])
      #expect(outcome.code == 0)
      #expect(await processes.leftovers(after: 5) == [])
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func leavesNoDisplayWhenSignalledAsItBegan(signal: Int32) async throws {
      let running = try program.start("exec \"$GALLEY\" render --json --out out \(server.address)/ad")
      let processes = try #require(await RunProcesses.beginning(with: .display, of: running.id))
      running.signal(signal)
      _ = await running.outcome()
      #expect(await processes.leftovers(after: 5) == [])
    }

    /// Ends a worker as soon as it starts, when it has a display already, and no process of its own that would end the
    /// display.
    @Test func leavesNothingOfAWorkerThatDiesAsItBegins() async throws {
      let installed = try program.installed()
      try program.file("installed/galley-worker", "#!/bin/sh\nkill -KILL $$\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(installed)/galley-worker")
      try program.file("ad.html")
      try FileManager.default.createDirectory(atPath: "\(program.folder)/tmp", withIntermediateDirectories: false)
      let outcome = try await program.shell(
        "TMPDIR=\"$PWD/tmp\" exec '\(installed)/galley' render --json ad.html --timeout 10")
      #expect(try outcome.document().results.map(\.code) == ["worker-start-failed"])
      #expect(outcome.code == 3)
      #expect(await RunProcesses.leftovers(with: "TMPDIR=\(program.folder)/tmp", after: 5) == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(program.folder)/tmp") == [])
    }

    @Test func hasItsDisplayBegunByTheProgramThatBecomesTheWorker() async throws {
      let (running, processes) = try await start("/waits", asks: "/picture", sandbox: true)
      #expect(processes.variables(.worker).contains { $0.hasPrefix("GALLEY_STARTED=") })
      #expect(processes.ids(.display).map(RunProcesses.parent) == processes.ids(.worker))
      running.signal(SIGTERM)
      _ = await running.outcome()
      #expect(await processes.leftovers(after: 5) == [])
    }

    @Test(arguments: [SIGKILL, SIGINT, SIGTERM, SIGHUP, SIGQUIT], [true, false])
    func leavesNothingAliveWhenSignalled(signal: Int32, sandbox: Bool) async throws {
      let (running, processes) = try await start("/busy", asks: "/reached", sandbox: sandbox)
      running.signal(signal)
      let outcome = await running.outcome()
      #expect(outcome.code == (signal == SIGKILL ? 137 : 130))
      #expect(await processes.leftovers(after: 5) == [])
    }

    @Test(arguments: [true, false], [true, false])
    func leavesNothingAliveWhenItsGuardIsKilledToo(workers: Bool, sandbox: Bool) async throws {
      let (running, processes) = try await start("/busy", asks: "/reached", sandbox: sandbox)
      #expect(processes.kill(.guardian))
      if workers { processes.kill(.worker) }
      running.signal(SIGKILL)
      _ = await running.outcome()
      #expect(await processes.leftovers(after: 5) == [])
    }
  }
}

extension ProgramTier {
  /// A batch whose workers and web processes are killed while it runs; `Scripts/soak` does the same at length.
  @Suite(.timeLimit(.minutes(2))) struct SoakTests {
    @Test func losesNoResultAndLeavesNoProcess() async throws {
      let program = try Program()
      let names = (1...24).map { "ad-\($0)" }
      for name in names { try program.file(name + ".html", "<script src=mraid.js></script><p>\(name)") }
      let creatives = names.map { $0 + ".html" }
      let running = try program.start("exec \"$GALLEY\" render --jobs 2 --out out " + creatives.joined(separator: " "))
      var processes: RunProcesses?
      var killed: [RunProcesses.Kind: Int] = [:]
      var told = 0
      // Between two renders there may be none to kill: then it is the next time's.
      var due: [RunProcesses.Kind] = []
      for await line in running.lines where names.contains(where: { line.hasPrefix($0 + " ") }) {
        processes = processes ?? RunProcesses(of: running.id)
        told += 1
        if told.isMultiple(of: 4) { due.append(told.isMultiple(of: 8) ? .worker : .webProcess) }
        guard let victim = due.first, let id = processes?.ids(victim).randomElement(), kill(id, SIGKILL) == 0 else {
          continue
        }
        killed[victim, default: 0] += 1
        due.removeFirst()
      }
      let outcome = await running.outcome()
      #expect(killed.count == 2)
      for name in names {
        let data = try Data(contentsOf: URL(filePath: "\(program.folder)/out/\(name)/result.json"))
        let record = try JSONDecoder().decode(RenderRecord.self, from: data)
        #expect(record.outcome == .completed, "\(name): \(record.message ?? "")")
        #expect(record.screenshots.map { program.has("out/\(name)/\($0.path)") } == [true])
      }
      #expect(outcome.code == 0)
      #expect(await processes?.leftovers(after: 5) == [])
    }
  }
}
