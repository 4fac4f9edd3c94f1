internal import Synchronization

extension Promise {
  /// Creates a promise of the result of `work`, which runs on the promise's actor and may wait.
  ///
  /// Cancelling the promise cancels the work's task.
  package convenience init(
    isolation: isolated any Actor = #isolation, work: @escaping () async throws -> Value
  ) {
    self.init()
    let task = Task { [self] in
      _ = isolation
      do { settle(.success(try await work())) } catch { settle(.failure(error)) }
    }
    onStop { task.cancel() }
  }

  /// Waits for the value. A cancelled task stops waiting with `CancellationError` and releases the promise.
  package func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
    if let result { return try result.get() }
    let waiter = PromiseWaiter()
    addDependant()
    listen { _ in waiter.wake() }
    await withTaskCancellationHandler(
      operation: { await waiter.sleep(isolation: isolation) }, onCancel: { waiter.wake() }, isolation: isolation)
    guard let result else {
      releaseDependant()
      throw CancellationError()
    }
    return try result.get()
  }
}

/// Task that waits for a promise; it wakes once, at the promise's end or the task's cancellation.
///
/// Cancellation comes on any thread, so this is the only part of a promise with a lock.
final class PromiseWaiter: Sendable {
  private enum State {
    case awake
    case asleep(CheckedContinuation<Void, Never>)
    case woken
  }

  private let state = Mutex(State.awake)

  /// Waits until `wake` is called; returns at once if it was called already.
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

  /// Ends the wait, at the first call; from any thread.
  func wake() {
    let sleeper: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .woken }
      if case .asleep(let continuation) = state { return continuation }
      return nil
    }
    sleeper?.resume()
  }
}
