/// Sends requests with their behaviours; loaders don't know of behaviours.
package final class RequestSender {
  private let behaviour: any RequestBehaviour
  private let timer: any AdTimer

  /// Creates a sender with this behaviour; `timer` waits before another attempt.
  package init(behaviour: any RequestBehaviour, timer: any AdTimer) {
    self.behaviour = behaviour
    self.timer = timer
  }

  /// Loads the request, again if a behaviour wants that; cancelling the promise cancels the current attempt.
  package func send<Value>(
    _ request: AdRequest, load: @escaping (AdRequest) -> Promise<Value>
  ) -> Promise<Value> {
    Promise { resolver in attempt(request, load, resolver) }
  }

  private func attempt<Value>(
    _ request: AdRequest, _ load: @escaping (AdRequest) -> Promise<Value>, _ resolver: Promise<Value>.Resolver
  ) {
    var sent = request
    behaviour.beforeSend(&sent)
    let answer = load(sent)
    resolver.onCancel { answer.cancel() }
    answer.observe { [self, sent] result in
      switch result {
      case .success(let value):
        behaviour.afterSuccess(sent, size: (value as? any SizedResponse)?.byteCount)
        resolver.resolve(value)
      case .failure(let error):
        guard let delay = fail(sent, error) else {
          _ = resolver.reject(error)
          return
        }
        // Each try starts from what was asked for, so that nothing is added to it twice.
        var next = request
        next.attempt += 1
        wait(delay, resolver) { [self] in attempt(next, load, resolver) }
      }
    }
  }

  /// Reports the failure; returns the milliseconds until another attempt, nil for none.
  private func fail(_ request: AdRequest, _ error: any Error) -> Double? {
    let delay = error is PromiseCancelled ? nil : behaviour.delayBeforeRetry(of: request, after: error)
    behaviour.afterFailure(request, error, retryIn: delay)
    return delay
  }

  private func wait<Value>(_ delay: Double, _ resolver: Promise<Value>.Resolver, then: @escaping () -> Void) {
    var isWanted = true
    resolver.onCancel { isWanted = false }
    timer.schedule(after: delay) { if isWanted { then() } }
  }
}

/// Response whose size is reported to behaviours.
package protocol SizedResponse {
  /// Number of bytes that arrived.
  var byteCount: Int { get }
}

extension Array: SizedResponse where Element == UInt8 {
  package var byteCount: Int { count }
}
