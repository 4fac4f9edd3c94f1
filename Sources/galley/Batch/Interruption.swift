@preconcurrency internal import Dispatch
internal import Glibc
internal import Synchronization

/// Listens for the signals that end a run early; a second one ends the program at once.
final class Interruption: Sendable {
  /// How many signals came.
  private final class Count: Sendable {
    let value = Atomic(0)
  }

  private let count = Count()
  private let sources: [any DispatchSourceSignal]

  /// Calls `handler` at the first signal.
  init(_ handler: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "galley.signals")
    sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].compactMap { [count] number in
      let wasIgnored = unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      // A shell's background job has SIGINT ignored and still is to end by it; under nohup SIGHUP is meant to be.
      if wasIgnored, number == SIGHUP { return nil }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The guard cleans up after a hasty end.
        if count.value.add(1, ordering: .relaxed).newValue > 1 { _exit(ExitStatus.interrupted.rawValue) }
        handler()
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  var hasHappened: Bool { count.value.load(ordering: .relaxed) > 0 }
}
