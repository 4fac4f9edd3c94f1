internal import Core
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import Subprocess
internal import SystemPackage

/// The guard as the command sees it: a small process that cleans up should the command be killed.
package enum Watchdog {
  /// Starts the guard, then does the work; the guard is ended with it, and its own death changes nothing.
  package static func during<Result: Sendable>(
    _ run: RunIdentifier, executable: String, _ work: @Sendable () async -> Result
  ) async -> Result {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    // A task of its own: when the work is cancelled the guard still has to watch over its end.
    let guardian = Task {
      await stand(run, executable) { begin.finish() }
      begin.finish()
    }
    for await _ in begun {}
    let result = await work()
    guardian.cancel()
    await guardian.value
    return result
  }

  /// Runs the guard process until the task is cancelled.
  private static func stand(
    _ run: RunIdentifier, _ executable: String, begun: @escaping @Sendable () -> Void
  ) async {
    var options = PlatformOptions()
    options.createSession = true
    _ = try? await Subprocess.run(
      .path(FilePath(executable)), arguments: ["guard", run.value], platformOptions: options,
      input: .inputWriter, output: .discarded, error: .discarded
    ) { _ in
      begun()
      for await _ in AsyncStream<Never>.makeStream().stream {}
    }
  }
}

/// Marks, by their environment, the processes of one run and of one worker in it.
package struct RunIdentifier: Hashable, Sendable {
  /// A UUID in lower case.
  package let value: String

  package init() {
    value = UUID().uuidString.lowercased()
  }

  /// Reads one from a command line; nil when it is no UUID.
  package init?(_ text: String) {
    guard let uuid = UUID(uuidString: text) else { return nil }
    value = uuid.uuidString.lowercased()
  }

  /// The environment entry every process of the run has.
  package var marker: Marker { Marker(name: "GALLEY_RUN", value: value) }

  /// The environment entry of one worker and its children; `number` is never used twice in a run.
  package func marker(ofWorker number: Int) -> Marker { Marker(name: "GALLEY_WORKER", value: "\(value)-\(number)") }
}

/// One environment entry by which processes are found again.
package struct Marker: Hashable, Sendable {
  package var name: String
  package var value: String

  /// As it stands in `/proc/<pid>/environ`.
  package var entry: String { "\(name)=\(value)" }
}

/// What the guard process does: waits for its standard input to end, then kills what the run left behind.
package enum WatchdogProcess {
  /// Returns once nothing of the run is left, 4 s after the command's end at the latest.
  package static func serve(_ run: RunIdentifier) async {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
    awaitEndOfInput()
    await Reaper(run.marker).reap(within: 4)
    // A process that ends lets go of its lock some time after it can't be found any more.
    let patience = ContinuousClock.now + .seconds(2)
    while EngineFolder.sweep(), ContinuousClock.now < patience { try? await Task.sleep(for: .milliseconds(20)) }
  }

  /// Blocks: this process has nothing else to do, and needs no thread for it.
  private static func awaitEndOfInput() {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}
