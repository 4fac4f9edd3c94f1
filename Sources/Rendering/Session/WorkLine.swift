internal import WebKitRuntime

/// Does one thing after the other.
///
/// Who waits for a task before is woken by way of another thread, which a clock that is stepped doesn't see; so one task
/// does all that waits.
@WebKitActor final class WorkLine {
  private var waiting: [@WebKitActor () async -> Void] = []
  private var isAtWork = false

  /// Does it once all that was added before is done; in a later turn than this.
  func add(_ work: @escaping @WebKitActor () async -> Void) {
    waiting.append(work)
    guard !isAtWork else { return }
    isAtWork = true
    Task { @WebKitActor in
      while !waiting.isEmpty { await waiting.removeFirst()() }
      isAtWork = false
    }
  }
}
