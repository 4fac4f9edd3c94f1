internal import Core
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import Subprocess
internal import SystemPackage

/// Starts the guard, a small process that cleans up if the command is killed.
package enum Watchdog {
  /// Starts the guard, does the work and ends the guard; if the guard dies earlier, the work isn't affected.
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

/// Marks the processes of one run, and of one worker in it, by their environment.
package struct RunIdentifier: Hashable, Sendable {
  /// A UUID in lower case.
  package let value: String

  package init() {
    value = UUID().uuidString.lowercased()
  }

  /// Reads an identifier from a command line; nil if it is no UUID.
  package init?(_ text: String) {
    guard let uuid = UUID(uuidString: text) else { return nil }
    value = uuid.uuidString.lowercased()
  }

  /// The environment entry of every process of the run.
  package var marker: Marker { Marker(name: "GALLEY_RUN", value: value) }

  /// The environment entry of one worker and its children; `number` is never used twice in a run.
  package func marker(ofWorker number: Int) -> Marker { Marker(name: "GALLEY_WORKER", value: "\(value)-\(number)") }
}

/// An environment entry by which processes are found again.
package struct Marker: Hashable, Sendable {
  package var name: String
  package var value: String

  /// The entry as it is in `/proc/<pid>/environ`.
  package var entry: String { "\(name)=\(value)" }
}

/// The guard process: waits for its standard input to end, then kills the processes that the run left behind.
package enum WatchdogProcess {
  /// Returns once nothing of the run is left, at the latest some 6 s after the command's end.
  package static func serve(_ run: RunIdentifier) async {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
    awaitEndOfInput()
    await Reaper(run.marker).reap(within: 4)
    // A process that ends lets go of its lock some time after it can't be found any more.
    let patience = ContinuousClock.now + .seconds(2)
    while EngineFolder.sweep(), ContinuousClock.now < patience { try? await Task.sleep(for: .milliseconds(20)) }
  }

  /// Blocks the thread until standard input ends; this process has nothing else to do.
  private static func awaitEndOfInput() {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}
