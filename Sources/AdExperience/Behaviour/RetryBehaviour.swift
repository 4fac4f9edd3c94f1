/// Has failed requests tried again, later each time.
package final class RetryBehaviour: RequestBehaviour {
  private let backOff: BackOff
  private let isWorthwhile: (any Error) -> Bool

  /// Tries again as `backOff` says what `isWorthwhile` accepts.
  package init(_ backOff: BackOff, when isWorthwhile: @escaping (any Error) -> Bool = { _ in true }) {
    self.backOff = backOff
    self.isWorthwhile = isWorthwhile
  }

  package func delayBeforeRetry(of request: AdRequest, after error: any Error) -> Double? {
    isWorthwhile(error) ? backOff.delay(afterAttempt: request.attempt) : nil
  }
}
