import Core
import Foundation
import RenderModel
import TestFolders
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(1))) struct WorkerPoolTests {
  private let scratch: TestFolder

  init() throws {
    scratch = try TestFolder()
  }

  private func jobs(_ names: [String], timeout: Double = 30) throws -> [RenderJob] {
    try names.enumerated().map { index, name in
      let output = "\(scratch.path)/\(index)-\(name)"
      try ResultFolder(output).prepare()
      return .fake(index, name, output: output, timeout: timeout)
    }
  }

  private func settings(
    _ capacity: Int = 1, startAllowance: Double = 30, environment: [String: String] = [:]
  ) -> PoolSettings {
    PoolSettings(
      executable: FakeWorker.path, capacity: capacity, grace: 0.2, startAllowance: startAllowance,
      environment: environment)
  }

  /// Runs the jobs and returns what the pool told, in order.
  private func events(_ jobs: [RenderJob], _ settings: PoolSettings) async -> [PoolEvent] {
    let pool = WorkerPool(settings)
    async let run: Void = pool.run(jobs)
    var events: [PoolEvent] = []
    for await event in pool.events { events.append(event) }
    await run
    #expect(ProcessTable().processes(marked: settings.run.marker).isEmpty)
    return events
  }

  private func records(_ jobs: [RenderJob], _ settings: PoolSettings) async -> [Int: RenderRecord] {
    var records: [Int: RenderRecord] = [:]
    for case .finished(let job, let record) in await events(jobs, settings) {
      #expect(records.updateValue(record, forKey: job) == nil)
    }
    return records
  }

  @Test func finishesJobsInOrderWithOneWorker() async throws {
    let events = await events(try jobs(["a", "b", "c"]), settings())
    let order = events.compactMap { if case .finished(let job, _) = $0 { job } else { nil } }
    #expect(order == [0, 1, 2])
    #expect(events.first == .started(job: 0, attempt: 1))
    #expect(events.contains(.progress(job: 2, phase: "load")))
  }

  @Test func spreadsManyJobsOverItsWorkers() async throws {
    let records = await records(try jobs((0..<20).map { "job-\($0)" }), settings(3))
    #expect(records.count == 20)
    #expect(records.values.allSatisfy { $0.outcome == .completed && $0.attempts == 1 })
    #expect((1...3).contains(Set(records.values.flatMap(\.warnings)).count))
  }

  @Test func handsWorkersNoMoreOfTheEnvironmentThanTheyNeed() async throws {
    setenv("CLOUD_SECRET_KEY", "secret", 1)
    setenv("LC_TIME", "de_DE.UTF-8", 1)
    let records = await records(try jobs(["environment"]), settings(environment: ["GALLEY_PROXY": "http://proxy"]))
    let names = Set(records[0]?.message?.split(separator: " ").map(String.init) ?? [])
    #expect(names.isSuperset(of: ["PATH", "LC_ALL", "TZ", "GALLEY_PROXY", "GALLEY_RUN", "GALLEY_WORKER"]))
    #expect(!names.contains("CLOUD_SECRET_KEY") && !names.contains("LC_TIME") && !names.contains("HOME"))
  }

  @Test(arguments: [
    ("HOME", false), ("LANG", false), ("LC_ALL", false), ("LANGUAGE", false), ("TZ", false), ("TZDIR", false),
    ("GTK_THEME", false), ("G_DEBUG", false), ("GST_REGISTRY", false), ("JSC_useJIT", false), ("LD_PRELOAD", false),
    ("XDG_CONFIG_HOME", false), ("FC_LANG", false), ("MALLOC_PERTURB_", false), ("TMPDIR", true),
    ("FONTCONFIG_FILE", true), ("https_proxy", true), ("SSL_CERT_FILE", true),
    ("AWS_SECRET_ACCESS_KEY", false), ("GITHUB_TOKEN", false), ("GALLEY_TOKEN", false), ("DATABASE_URL", false),
    ("HOMEBREW_TOKEN", false), ("DISPLAY", false), ("G_SECRET", false),
  ]) func whatWorkersNeed(name: String, isNeeded: Bool) {
    #expect((WorkerEnvironment.make(of: [name: "x"], with: [:])[name] == "x") == isNeeded)
    #expect(WorkerEnvironment.make(of: [name: "x"], with: [name: "own"])[name] == "own")
  }

  @Test func `language and day are the same whatever the caller's, and what is named goes along`() {
    let callers = ["LANG": "de_DE.UTF-8", "LC_ALL": "C", "TZ": "Asia/Tokyo", "G_DEBUG": "all", "GST_DEBUG": "5"]
    let made = WorkerEnvironment.make(of: callers, with: [:])
    #expect(made == ["LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"])
    let named = callers.merging(["GALLEY_WORKER_ENVIRONMENT": "GST_DEBUG,NOTHING"]) { $1 }
    #expect(WorkerEnvironment.make(of: named, with: [:]) == made.merging(["GST_DEBUG": "5"]) { $1 })
  }

  @Test func recoversFromOneDeath() async throws {
    let records = await records(try jobs(["die-once", "next"]), settings())
    #expect(records[0]?.outcome == .completed)
    #expect(records[0]?.attempts == 2)
    #expect(records[1]?.attempts == 1)
  }

  @Test func recordsACreativeThatKillsEveryWorker() async throws {
    let jobs = try jobs(["die", "next"])
    let records = await records(jobs, settings())
    let record = try #require(records[0])
    #expect(record.outcome == .crashed)
    #expect(record.origin == .engine)
    #expect(record.code == "worker-died")
    #expect(record.message == "the worker was terminated by SIGKILL; last output: last words of die")
    #expect(record.attempts == 6)
    let written = try Data(contentsOf: URL(filePath: ResultFolder(jobs[0].output).result))
    #expect(try JSONDecoder().decode(RenderRecord.self, from: written) == record)
    #expect(records[1]?.outcome == .completed)
  }

  @Test func tellsAnExitFromADeath() async throws {
    let records = await records(try jobs(["leave"]), settings())
    #expect(records[0]?.message == "the worker exited with status 3")
  }

  @Test func killsAWorkerThatIsSilentPastTheGrace() async throws {
    let records = await records(try jobs(["hang", "next"], timeout: 0.1), settings())
    #expect(records[0]?.outcome == .timedOut)
    #expect(records[0]?.origin == .deadline)
    #expect(records[0]?.code == "deadline-exceeded")
    #expect(records[0]?.attempts == 1)
    #expect(records[1]?.outcome == .completed)
    #expect(records[1]?.attempts == 1)
  }

  @Test func killsAWorkerThatNeverBegins() async throws {
    let records = await records(try jobs(["mute"]), settings(startAllowance: 3))
    #expect(records[0]?.code == "worker-died")
    #expect(records[0]?.message == "the worker was killed: it didn't start the job within 3 s")
  }

  @Test func reapsTheOrphansOfADeadWorker() async throws {
    let records = await records(try jobs(["orphan"]), settings())
    #expect(records[0]?.code == "worker-died")
  }

  @Test func ignoresGarbageBetweenMessages() async throws {
    let records = await records(try jobs(["garbage"]), settings())
    #expect(records[0]?.outcome == .completed)
  }

  @Test func takesALineOfAMegabyte() async throws {
    let records = await records(try jobs(["long"]), settings())
    #expect(records[0]?.message?.utf8.count == 1_048_576)
  }

  @Test func retriesCrashesOfTheWebProcess() async throws {
    let records = await records(try jobs(["web-crash-once", "web-crash"]), settings())
    #expect(records[0]?.outcome == .completed)
    #expect(records[0]?.attempts == 2)
    #expect(records[1]?.outcome == .crashed)
    #expect(records[1]?.attempts == 6)
  }

  @Test func givesUpWhenWorkersCantStart() async throws {
    let unable = await records(try jobs(["a", "b"]), settings(2, environment: ["FAKE_UNABLE": "1"]))
    #expect(unable.values.allSatisfy { $0.code == "worker-start-failed" && $0.origin == .engine })
    #expect(unable[1]?.message == "the worker exited with status 7; last output: no display")
    var missing = settings()
    missing.executable = "/no/such/worker"
    #expect(await records(try jobs(["a"]), missing)[0]?.code == "worker-start-failed")
  }

  @Test func cancellationKillsEverythingAndKeepsWhatWasDone() async throws {
    let settings = settings(2)
    let jobs = try jobs(["quick", "hang", "hang", "hang"])
    let pool = WorkerPool(settings)
    let run = Task { await pool.run(jobs) }
    var seen: [PoolEvent] = []
    for await event in pool.events {
      seen.append(event)
      let hanging = seen.count { if case .progress(let job, _) = $0 { job > 0 } else { false } }
      if hanging == 2 { run.cancel() }
    }
    await run.value
    #expect(seen.count { if case .finished(0, _) = $0 { true } else { false } } == 1)
    #expect(ProcessTable().processes(marked: settings.run.marker).isEmpty)
  }
}

/// A worker that renders nothing and behaves as the creative's name says.
enum FakeWorker {
  /// Absolute path of the script; written once per test run.
  static let path: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "galley-fake-worker-\(UUID().uuidString)").path()
    guard
      FileManager.default.createFile(atPath: path, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
    else { preconditionFailure("can't write \(path)") }
    atexit { try? FileManager.default.removeItem(atPath: FakeWorker.path) }
    return path
  }()

  private static let script = #"""
    #!/bin/sh
    finished() { # outcome, further members
      printf '{"finished":{"job":%s,"record":{"schema":2,"creative":{"path":"%s"},' "$id" "$name"
      printf '"device":{"name":"phone",'
      printf '"width":390,"height":844,"scale":3,"renderScale":3},"outcome":"%s",%s"states":["default"],' "$1" "$2"
      printf '"transitions":[],"screenshots":[],"warnings":["worker %s"],"eventCount":0,"attempts":1,' "$$"
      printf '"timings":{}}}}\n'
    }
    succeed() { finished completed ""; }
    progress() { printf '{"progress":{"job":%s,"phase":"load"}}\n' "$id"; }
    first() { [ ! -e "$output.tried" ] && : > "$output.tried"; }
    crash() { finished crashed '"message":"gone","origin":"creative","code":"web-process-crashed",'; }
    if [ -n "$FAKE_UNABLE" ]; then echo "no display" >&2; exit 7; fi
    echo '{"ready":{}}'
    while IFS= read -r line; do
      rest=${line#*\"creative\":}; name=${rest#*\"name\":\"}; name=${name%%\"*}
      id=${line#*\"id\":}; id=${id%%[,\}]*}
      output=${line#*\"output\":\"}; output=${output%%\"*}
      case $name in
        mute*) sleep 1000 ;;
        *) progress ;;
      esac
      case $name in
        hang*) sleep 1000 ;;
        die-once*) if first; then kill -9 $$; fi; succeed ;;
        die*) echo "last words of $name" >&2; kill -9 $$ ;;
        leave*) exit 3 ;;
        orphan*) setsid sleep 1000 & kill -9 $$ ;;
        garbage*) echo "Gtk-WARNING: stray"; echo '{"finished":'; echo '{"finished":{"job":99}}'; succeed ;;
        long*) finished completed "\"message\":\"$(head -c 1048576 /dev/zero | tr '\0' x)\"," ;;
        environment*) finished completed "\"message\":\"$(env | cut -d= -f1 | sort | tr '\n' ' ')\"," ;;
        web-crash-once*) if first; then crash; else succeed; fi ;;
        web-crash*) crash ;;
        *) succeed ;;
      esac
    done
    """#
}
