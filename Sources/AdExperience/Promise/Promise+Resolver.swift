extension Promise {
  /// The only hand that settles a promise: what gave it out keeps this, and the promise goes to whoever asked.
  package struct Resolver {
    let promise: Promise

    /// Keeps the promise; false when it was settled or cancelled before.
    @discardableResult package func resolve(_ value: Value) -> Bool { promise.settle(.success(value)) }

    /// Breaks the promise; false when it was settled or cancelled before.
    @discardableResult package func reject(_ error: any Error) -> Bool { promise.settle(.failure(error)) }

    /// Settles the promise as another thing ended.
    @discardableResult package func settle<Failure>(_ result: Result<Value, Failure>) -> Bool {
      promise.settle(result.mapError { $0 })
    }

    /// Runs `action` when the promise is cancelled, so that nobody works for nothing; at once when it was.
    package func onCancel(_ action: @escaping () -> Void) {
      if case .failure(let error)? = promise.result, error is PromiseCancelled { return action() }
      promise.onStop(action)
    }

    /// Settles this promise as `other` ends, and gives up on `other` when this one is cancelled.
    func follow(_ other: Promise) {
      guard promise.isPending else { return }
      other.addDependant()
      promise.onStop { [weak other] in other?.releaseDependant() }
      other.listen { [promise] in promise.settle($0) }
    }
  }
}

extension Promise.Resolver where Value == Void {
  /// Keeps a promise that has nothing to bring.
  @discardableResult package func resolve() -> Bool { resolve(()) }
}
