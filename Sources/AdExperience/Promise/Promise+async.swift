extension Promise {
  /// A promise of what `work` returns or throws; the work runs on the actor that the promise lives on, and may wait.
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

  /// Waits for the value. A cancelled task stops waiting with `CancellationError`, and gives the promise up.
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
