internal import Synchronization

/// A task that waits for a promise; it wakes once, whether the promise or the task's cancellation comes first.
///
/// Cancellation comes on any thread, so this is the one part of a promise that is locked.
final class PromiseWaiter: Sendable {
  private enum State {
    case awake
    case asleep(CheckedContinuation<Void, Never>)
    case woken
  }

  private let state = Mutex(State.awake)

  /// Waits until it is woken, not at all if it was.
  func sleep(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation(isolation: isolation) { continuation in
      let wasWoken = state.withLock { state in
        if case .woken = state { return true }
        state = .asleep(continuation)
        return false
      }
      if wasWoken { continuation.resume() }
    }
  }

  /// Ends the wait, the first time; any thread may.
  func wake() {
    let sleeper: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .woken }
      if case .asleep(let continuation) = state { return continuation }
      return nil
    }
    sleeper?.resume()
  }
}
