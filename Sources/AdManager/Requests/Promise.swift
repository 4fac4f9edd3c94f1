/// Value that arrives later: it is fulfilled or rejected once, and any number of observers may wait for it.
///
/// Like the ad manager it belongs to one actor or task, which the compiler checks, since it isn't `Sendable`; results
/// of other threads reach it through `init(isolation:work:)`. So it needs no lock, and observers are called at once:
/// inside `resolve` or `reject`, or inside `observe` if it is settled already. Observers are called in the order in
/// which they were added, even if one of them adds another.
package final class Promise<Value> {
  /// Value or error of the promise; nil while it is pending.
  package private(set) var result: Result<Value, any Error>?
  /// Observers that haven't been called yet, in the order in which they were added.
  private var observers: [(Result<Value, any Error>) -> Void] = []
  private var isDelivering = false
  /// Stops the work of the promise; nil once it is settled.
  private var stop: (() -> Void)?
  /// Number of promises derived from this one that still wait for it.
  private var dependants = 0
  /// Indicates that an observer waits that can't be cancelled.
  private var isObserved = false

  /// Creates a promise that is settled by the resolver passed to `work`, now or later.
  package convenience init(_ work: (Resolver) -> Void) {
    self.init()
    work(Resolver(promise: self))
  }

  /// Creates a fulfilled promise.
  package convenience init(value: Value) {
    self.init()
    result = .success(value)
  }

  /// Creates a rejected promise.
  package convenience init(error: any Error) {
    self.init()
    result = .failure(error)
  }

  init() {}

  /// Returns a pending promise and the resolver that settles it.
  package static func pending() -> (promise: Promise, resolver: Resolver) {
    let promise = Promise()
    return (promise, Resolver(promise: promise))
  }

  /// Indicates that the promise was neither resolved, rejected nor cancelled yet.
  package var isPending: Bool { result == nil }

  /// Calls `observer` once with the result, now or later.
  @discardableResult package func observe(_ observer: @escaping (Result<Value, any Error>) -> Void) -> Promise {
    isObserved = true
    listen(observer)
    return self
  }

  /// Ends the promise without a value: observers get `PromiseCancelled`, and its work is stopped.
  ///
  /// The promise that it was derived from is cancelled too, unless another observer waits for that. A settled promise
  /// stays as it is.
  package func cancel() {
    settle(.failure(PromiseCancelled()))
  }

  /// Stores the action that stops the work if the promise is cancelled.
  func onStop(_ action: @escaping () -> Void) {
    if isPending { stop = action }
  }

  /// Adds an observer that doesn't count as waiting for the promise.
  func listen(_ observer: @escaping (Result<Value, any Error>) -> Void) {
    observers.append(observer)
    deliver()
  }

  /// Notes that one more promise is derived from this one.
  func addDependant() { dependants += 1 }

  /// Notes that a promise derived from this one no longer needs it; cancels this one after the last.
  func releaseDependant() {
    dependants -= 1
    if dependants == 0, !isObserved { cancel() }
  }

  /// Settles the promise; only the first call counts, later ones return false.
  @discardableResult func settle(_ end: Result<Value, any Error>) -> Bool {
    guard result == nil else { return false }
    result = end
    let stop = stop
    self.stop = nil
    if case .failure(let error) = end, error is PromiseCancelled { stop?() }
    deliver()
    return true
  }

  private func deliver() {
    guard let result, !isDelivering else { return }
    isDelivering = true
    while !observers.isEmpty { observers.removeFirst()(result) }
    isDelivering = false
  }
}

extension Promise {
  /// The only way to settle a promise: the producer keeps the resolver and hands out the promise.
  package struct Resolver {
    let promise: Promise

    /// Fulfils the promise; false if it was settled or cancelled before.
    @discardableResult package func resolve(_ value: Value) -> Bool { promise.settle(.success(value)) }

    /// Rejects the promise; false if it was settled or cancelled before.
    @discardableResult package func reject(_ error: any Error) -> Bool { promise.settle(.failure(error)) }

    /// Settles the promise with a result.
    @discardableResult package func settle<Failure>(_ result: Result<Value, Failure>) -> Bool {
      promise.settle(result.mapError { $0 })
    }

    /// Runs `action` when the promise is cancelled, so that unneeded work stops; at once if it was cancelled already.
    package func onCancel(_ action: @escaping () -> Void) {
      if case .failure(let error)? = promise.result, error is PromiseCancelled { return action() }
      promise.onStop(action)
    }

    /// Settles this promise with the result of `other`, and releases `other` if this one is cancelled.
    func follow(_ other: Promise) {
      guard promise.isPending else { return }
      other.addDependant()
      promise.onStop { [weak other] in other?.releaseDependant() }
      other.listen { [promise] in promise.settle($0) }
    }
  }
}

extension Promise.Resolver where Value == Void {
  /// Fulfils a promise without a value.
  @discardableResult package func resolve() -> Bool { resolve(()) }
}

extension Promise {
  /// Returns the promise that `next` makes of the value; an error skips `next` and goes down the chain.
  package func then<New>(_ next: @escaping (Value) throws -> Promise<New>) -> Promise<New> {
    derived { result, resolver in
      switch result {
      case .success(let value): resolver.follow(Self.promise { try next(value) })
      case .failure(let error): resolver.reject(error)
      }
    }
  }

  /// Returns a promise of the result of `next`.
  package func then<New>(_ next: @escaping (Value) throws -> New) -> Promise<New> { map(next) }

  /// Returns a promise of the result of `transform`; an error that it throws rejects the new promise.
  package func map<New>(_ transform: @escaping (Value) throws -> New) -> Promise<New> {
    derived { result, resolver in resolver.settle(result.flatMap { value in Result { try transform(value) } }) }
  }

  /// Ends a chain: all errors from above arrive here, and the result of `recover` replaces the value.
  package func `catch`(_ recover: @escaping (any Error) throws -> Value) -> Promise {
    derived { result, resolver in resolver.settle(result.flatMapError { error in Result { try recover(error) } }) }
  }

  /// Ends a chain in the same way, with a `recover` that is asynchronous.
  package func `catch`(_ recover: @escaping (any Error) throws -> Promise) -> Promise {
    derived { result, resolver in
      switch result {
      case .success(let value): resolver.resolve(value)
      case .failure(let error): resolver.follow(Self.promise { try recover(error) })
      }
    }
  }

  /// Runs `action` after any end, cancellation included, and passes the result on.
  package func finally(_ action: @escaping () -> Void) -> Promise {
    derived { result, resolver in
      action()
      resolver.settle(result)
    }
  }

  /// Returns a promise that `body` settles after this one has ended.
  ///
  /// Cancelling it cancels this promise too, unless others wait for that.
  func derived<New>(
    _ body: @escaping (Result<Value, any Error>, Promise<New>.Resolver) -> Void
  ) -> Promise<New> {
    let (promise, resolver) = Promise<New>.pending()
    addDependant()
    promise.onStop { [weak self] in self?.releaseDependant() }
    listen { result in
      // A chain that was given up runs nothing any more.
      if promise.isPending { body(result, resolver) }
    }
    return promise
  }

  /// Calls `body` and turns an error that it throws into a rejected promise.
  private static func promise<New>(_ body: () throws -> Promise<New>) -> Promise<New> {
    do { return try body() } catch { return Promise<New>(error: error) }
  }
}

extension Promise {
  /// Waits for all promises and returns their values in order; the first error rejects it, and the others are released.
  package static func all<Element>(_ promises: [Promise<Element>]) -> Promise where Value == [Element] {
    guard !promises.isEmpty else { return Promise(value: []) }
    let (whole, resolver) = pending()
    var waiting = promises.count
    for promise in promises { promise.addDependant() }
    let giveUp = { for promise in promises where promise.isPending { promise.releaseDependant() } }
    whole.onStop(giveUp)
    for promise in promises {
      promise.listen { result in
        waiting -= 1
        if case .failure(let error) = result, resolver.reject(error), !(error is PromiseCancelled) { giveUp() }
        if waiting == 0, whole.isPending { resolver.settle(gathered(promises)) }
      }
    }
    return whole
  }

  private static func gathered<Element>(_ promises: [Promise<Element>]) -> Result<[Element], any Error> {
    Result { try promises.compactMap { try $0.result?.get() } }
  }
}

/// Error of a cancelled promise, which isn't a failure.
package struct PromiseCancelled: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String { "cancelled" }

  package init() {}
}
