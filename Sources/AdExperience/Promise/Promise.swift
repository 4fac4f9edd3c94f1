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
