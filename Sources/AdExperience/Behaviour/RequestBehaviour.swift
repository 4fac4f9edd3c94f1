/// What accompanies a request, whatever it asks for and whoever loads it: an indicator, a log, another try.
///
/// Each try goes through `beforeSend` and ends in one of the other two; a cancelled one ends in `afterFailure` with
/// `PromiseCancelled`.
package protocol RequestBehaviour: AnyObject {
  /// The request is about to go out, and may be added to.
  func beforeSend(_ request: inout AdRequest)
  /// The answer came; `size` in bytes where it has one.
  func afterSuccess(_ request: AdRequest, size: Int?)
  /// Milliseconds after which it is worth another try, nil for none.
  func delayBeforeRetry(of request: AdRequest, after error: any Error) -> Double?
  /// No answer came; `delay` says in how many milliseconds it is tried again, if it is.
  func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?)
}

extension RequestBehaviour {
  package func beforeSend(_ request: inout AdRequest) {}
  package func afterSuccess(_ request: AdRequest, size: Int?) {}
  package func delayBeforeRetry(of request: AdRequest, after error: any Error) -> Double? { nil }
  package func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?) {}
}
