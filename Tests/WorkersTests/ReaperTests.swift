import Core
import Glibc
import Subprocess
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(1))) struct ReaperTests {
  @Test func killsMarkedProcessesAndTheirChildrenOnly() async throws {
    let (marked, other) = (RunIdentifier(), RunIdentifier())
    try await withSleepers(marked) {
      try await withSleepers(other) {
        let table = ProcessTable()
        #expect(table.processes(marked: marked.marker).count == 2)
        #expect(await Reaper(marked.marker).reap())
        #expect(table.processes(marked: marked.marker).isEmpty)
        #expect(table.processes(marked: other.marker).count == 2)
        #expect(await Reaper(other.marker).reap())
        #expect(table.processes(marked: other.marker).isEmpty)
      }
    }
  }

  @Test func findsNothingWhereNothingIs() async {
    #expect(await Reaper(RunIdentifier().marker).reap())
  }

  /// Sweeps while a process has no environment, as between two programs; such a sweep isn't clean.
  @Test func isNotSureOfAYoungProcessWithoutAnEnvironment() async throws {
    let table = ProcessTable()
    _ = try await Subprocess.run(
      .name("env"), arguments: ["-i", "sh", "-c", "echo; read word"], input: .inputWriter, output: .sequence,
      error: .discarded
    ) { execution in
      // Its line says that it is there.
      for try await _ in execution.standardOutput { break }
      #expect(!table.look(for: RunIdentifier().marker).isSure)
      try await execution.standardInputWriter.finish()
    }
  }

  /// Ignores a dead process without memory, however late it began, so that no sweep waits until it is gone.
  @Test func whatHasNoMemoryAnyMoreIsLeftAlone() throws {
    var id: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawnp(&id, "true", nil, nil, &arguments, nil) == 0)
    var facts = siginfo_t()
    try #require(waitid(P_PID, id_t(id), &facts, WEXITED | WNOWAIT) == 0)
    #expect(ProcFS.environment(of: id) == nil)
    #expect(ProcFS.environment(of: getpid())?.isEmpty == false)
    var status: Int32 = 0
    waitpid(id, &status, 0)
    #expect(ProcFS.environment(of: id) == nil)
  }

  @Test(arguments: [
    ("7 (a) b) S 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 9700 0", true),
    ("7 (sh) S 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 9400 0", false),
    ("7 (sh) Z 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 9700 0", false),
    ("7 (kworker) I 2 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 9700 0", false),
    ("7 (sh) S 1", false), ("", false),
  ]) func tellsWhatBeganLately(line: String, expected: Bool) {
    #expect(ProcFS.beganLately(line, now: 100, ticksPerSecond: 100) == expected)
  }

  @Test func matchesWholeEntriesOnly() {
    let environment = Array("A=1\0GALLEY_WORKER=x-12\0B=GALLEY_WORKER=x-3\0".utf8)
    #expect(ProcessTable.holds(environment, Array("GALLEY_WORKER=x-12".utf8)))
    #expect(!ProcessTable.holds(environment, Array("GALLEY_WORKER=x-1".utf8)))
    #expect(!ProcessTable.holds(environment, Array("GALLEY_WORKER=x-3".utf8)))
    #expect(!ProcessTable.holds([], Array("GALLEY_WORKER=x-3".utf8)))
  }

  @Test func marksWorkersApart() {
    let run = RunIdentifier()
    #expect(run.marker(ofWorker: 1) != run.marker(ofWorker: 12))
    #expect(RunIdentifier(run.value) == run)
    #expect(RunIdentifier("everything") == nil)
  }

  /// Does the work while a shell and its child in another session live, both marked; they must be dead after it.
  private func withSleepers(_ run: RunIdentifier, _ work: @Sendable () async throws -> Void) async throws {
    let result = try await Subprocess.run(
      .name("sh"), arguments: ["-c", "setsid sh -c 'echo up; kill -STOP $$' & wait"],
      environment: .inherit.updating([Environment.Key(rawValue: run.marker.name)!: run.marker.value]),
      input: .none, output: .sequence, error: .discarded
    ) { shell in
      var output = shell.standardOutput.makeAsyncIterator()
      _ = try await output.next()
      try await work()
    }
    #expect(result.terminationStatus == .signaled(9))
  }
}

@Suite struct OutputTests {
  @Test func cutsLinesAcrossChunks() {
    var splitter = LineSplitter()
    #expect(splitter.appendBytes("one\ntw".utf8) == [Array("one".utf8)])
    #expect(splitter.appendBytes("o\n\n".utf8) == [Array("two".utf8), []])
    #expect(splitter.appendBytes("rest".utf8) == [])
  }

  @Test func dropsALineThatIsTooLongAndGoesOn() {
    var splitter = LineSplitter(longest: 8)
    #expect(splitter.appendBytes("one\n0123456789 and more".utf8) == [Array("one".utf8)])
    #expect(splitter.appendBytes(" of it\ntwo\n".utf8) == [Array("two".utf8)])
    #expect(splitter.appendBytes("01234567\n".utf8) == [Array("01234567".utf8)])
  }

  @Test func keepsUnicodeLineBreaksInside() {
    var splitter = LineSplitter()
    #expect(splitter.appendBytes("a\u{2028}b\u{0C}c\r\n".utf8) == [Array("a\u{2028}b\u{0C}c\r".utf8)])
  }

  @Test func keepsTheEndOfALongOutput() {
    let tail = OutputTail(limit: 8)
    for chunk in ["first ", "second ", "third\n"] { tail.append(Array(chunk.utf8)) }
    #expect(tail.text == "d third")
  }

  @Test func describesExits() {
    #expect("\(WorkerExit(.signal(6)))" == "was terminated by SIGABRT")
    #expect("\(WorkerExit(.signal(40)))" == "was terminated by signal 40")
    #expect("\(WorkerExit(.status(1)))" == "exited with status 1")
    #expect(WorkerExit(.status(1), errorTail: "why").quote == "; last output: why")
  }
}
