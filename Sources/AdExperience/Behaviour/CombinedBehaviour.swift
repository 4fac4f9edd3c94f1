/// Several behaviours as one: each acts in its turn, on the request as those before it left it.
package final class CombinedBehaviour: RequestBehaviour {
  private let behaviours: [any RequestBehaviour]

  /// Behaviours in the order in which they act, also after an answer.
  package init(_ behaviours: [any RequestBehaviour]) { self.behaviours = behaviours }

  package func beforeSend(_ request: inout AdRequest) {
    for behaviour in behaviours { behaviour.beforeSend(&request) }
  }

  package func afterSuccess(_ request: AdRequest, size: Int?) {
    for behaviour in behaviours { behaviour.afterSuccess(request, size: size) }
  }

  /// The first that wants another try has its way.
  package func delayBeforeRetry(of request: AdRequest, after error: any Error) -> Double? {
    for behaviour in behaviours {
      if let delay = behaviour.delayBeforeRetry(of: request, after: error) { return delay }
    }
    return nil
  }

  package func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?) {
    for behaviour in behaviours { behaviour.afterFailure(request, error, retryIn: delay) }
  }
}
