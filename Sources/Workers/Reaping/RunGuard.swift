internal import Subprocess
internal import SystemPackage

/// The guard as the command sees it: a small process that cleans up should the command be killed.
package enum RunGuard {
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
