/// A value that is handed out before it is there: it comes once, or is refused once, and any number may wait for it.
///
/// Like the ad manager it belongs to one actor or task, which the compiler checks, since it isn't `Sendable`; what other
/// threads find out reaches it through `init(isolation:work:)`. So nothing about it is locked, and whoever observes it
/// hears at once: inside `resolve` or `reject`, or inside `observe` when it is settled already. Observers hear in the
/// order in which they came, also when one of them adds another.
package final class Promise<Value> {
  /// How it ended; nil while it hasn't.
  package private(set) var result: Result<Value, any Error>?
  /// Those who haven't heard, in the order in which they came.
  private var observers: [(Result<Value, any Error>) -> Void] = []
  private var isDelivering = false
  /// Ends the work behind it; gone once it is settled.
  private var stop: (() -> Void)?
  /// Promises made of this one that still wait for it.
  private var dependants = 0
  /// Whether somebody waits for it who can't be cancelled.
  private var isObserved = false

  /// A promise that the resolver handed to `work` settles, now or later.
  package convenience init(_ work: (Resolver) -> Void) {
    self.init()
    work(Resolver(promise: self))
  }

  /// One that was kept before it was made.
  package convenience init(value: Value) {
    self.init()
    result = .success(value)
  }

  /// One that was broken before it was made.
  package convenience init(error: any Error) {
    self.init()
    result = .failure(error)
  }

  init() {}

  /// A promise and what settles it.
  package static func pending() -> (promise: Promise, resolver: Resolver) {
    let promise = Promise()
    return (promise, Resolver(promise: promise))
  }

  /// Whether it was neither resolved, rejected nor cancelled yet.
  package var isPending: Bool { result == nil }

  /// Calls `observer` once, with how it ended or will end.
  @discardableResult package func observe(_ observer: @escaping (Result<Value, any Error>) -> Void) -> Promise {
    isObserved = true
    listen(observer)
    return self
  }

  /// Ends it without a value: whoever waits hears `PromiseCancelled`, and the work behind it is told to stop.
  ///
  /// What it was made of is cancelled too, unless somebody else waits for that. A settled promise stays as it is.
  package func cancel() {
    settle(.failure(PromiseCancelled()))
  }

  /// Keeps what ends the work behind it, for the case that it is cancelled.
  func onStop(_ action: @escaping () -> Void) {
    if isPending { stop = action }
  }

  /// Hears of the end without counting as somebody who waits.
  func listen(_ observer: @escaping (Result<Value, any Error>) -> Void) {
    observers.append(observer)
    deliver()
  }

  /// One more promise is made of this one.
  func addDependant() { dependants += 1 }

  /// A promise that was made of this one has no need of it any more.
  func releaseDependant() {
    dependants -= 1
    if dependants == 0, !isObserved { cancel() }
  }

  /// The first end counts; the rest are ignored.
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

extension Promise {
  /// What `next` promises of the value; an error skips `next` and goes down the chain.
  package func then<New>(_ next: @escaping (Value) throws -> Promise<New>) -> Promise<New> {
    derived { result, resolver in
      switch result {
      case .success(let value): resolver.follow(Self.promise { try next(value) })
      case .failure(let error): resolver.reject(error)
      }
    }
  }

  /// What `next` makes of the value.
  package func then<New>(_ next: @escaping (Value) throws -> New) -> Promise<New> { map(next) }

  /// What `transform` makes of the value; what it throws breaks the new promise.
  package func map<New>(_ transform: @escaping (Value) throws -> New) -> Promise<New> {
    derived { result, resolver in resolver.settle(result.flatMap { value in Result { try transform(value) } }) }
  }

  /// The end of a chain, where every error from above arrives; what `recover` gives stands for the value.
  package func `catch`(_ recover: @escaping (any Error) throws -> Value) -> Promise {
    derived { result, resolver in resolver.settle(result.flatMapError { error in Result { try recover(error) } }) }
  }

  /// The same where getting something else takes its time.
  package func `catch`(_ recover: @escaping (any Error) throws -> Promise) -> Promise {
    derived { result, resolver in
      switch result {
      case .success(let value): resolver.resolve(value)
      case .failure(let error): resolver.follow(Self.promise { try recover(error) })
      }
    }
  }

  /// Runs `action` however it ends, cancelled too, and passes on how that was.
  package func finally(_ action: @escaping () -> Void) -> Promise {
    derived { result, resolver in
      action()
      resolver.settle(result)
    }
  }

  /// A promise that `body` settles once this one has ended; cancelling it cancels this one, unless others wait.
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

  /// A promise of what may fail to promise anything.
  private static func promise<New>(_ body: () throws -> Promise<New>) -> Promise<New> {
    do { return try body() } catch { return Promise<New>(error: error) }
  }
}

extension Promise {
  /// The values of all, in the order of the promises; the first that is broken breaks it, and the others are given up.
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

/// Why a promise that was cancelled brings nothing; no fault of anybody's.
package struct PromiseCancelled: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String { "cancelled" }

  package init() {}
}
