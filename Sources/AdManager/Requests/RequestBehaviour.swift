internal import Foundation

/// Behaviour that accompanies a request, independent of its content and loader: an indicator, a log, a retry.
///
/// Each attempt goes through `beforeSend` and ends in `afterSuccess` or `afterFailure`; a cancelled one ends in
/// `afterFailure` with `PromiseCancelled`.
package protocol RequestBehaviour: AnyObject {
  /// Called before the request is sent; may add to it.
  func beforeSend(_ request: inout AdRequest)
  /// Called when the response has arrived; `size` in bytes if it has one.
  func afterSuccess(_ request: AdRequest, size: Int?)
  /// Returns the milliseconds to wait before another attempt; nil for no further attempt.
  func delayBeforeRetry(of request: AdRequest, after error: any Error) -> Double?
  /// Called when a request failed; `delay` in milliseconds before the next attempt, nil if there is none.
  func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?)
}

extension RequestBehaviour {
  package func beforeSend(_ request: inout AdRequest) {}
  package func afterSuccess(_ request: AdRequest, size: Int?) {}
  package func delayBeforeRetry(of request: AdRequest, after error: any Error) -> Double? { nil }
  package func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?) {}
}

/// Request as it is sent: behaviours may add to it, and the loader only sends it.
package struct AdRequest: Hashable, Sendable {
  /// Address, or a name for a request without an address.
  package var url: String
  /// Header fields in addition to those that every request of the loader has.
  package var headers: [String: String]
  /// Number of the attempt, from 1.
  package var attempt: Int

  /// Creates a request for its first attempt.
  package init(url: String, headers: [String: String] = [:], attempt: Int = 1) {
    self.url = url
    self.headers = headers
    self.attempt = attempt
  }
}

/// Combines several behaviours: each acts in turn, on the request as the earlier ones changed it.
package final class CombinedBehaviour: RequestBehaviour {
  private let behaviours: [any RequestBehaviour]

  /// Combines behaviours in the order in which they act, also after a response.
  package init(_ behaviours: [any RequestBehaviour]) { self.behaviours = behaviours }

  package func beforeSend(_ request: inout AdRequest) {
    for behaviour in behaviours { behaviour.beforeSend(&request) }
  }

  package func afterSuccess(_ request: AdRequest, size: Int?) {
    for behaviour in behaviours { behaviour.afterSuccess(request, size: size) }
  }

  /// Returns the delay of the first behaviour that wants another attempt.
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

/// Adds the caller's authorization to every request; the token is read each time, since it may have been renewed.
package final class AuthorizationBehaviour: RequestBehaviour {
  private let scheme: String
  private let token: () -> String?

  /// Sets `Authorization` to the scheme and the token; without a token the field is left out.
  package init(scheme: String = "Bearer", token: @escaping () -> String?) {
    self.scheme = scheme
    self.token = token
  }

  package func beforeSend(_ request: inout AdRequest) {
    if let token = token() { request.headers["Authorization"] = "\(scheme) \(token)" }
  }
}

/// Repeats failed requests, with growing delays.
package final class RetryBehaviour: RequestBehaviour {
  private let backOff: BackOff
  private let isWorthwhile: (any Error) -> Bool

  /// Repeats the requests whose error `isWorthwhile` accepts, at the intervals of `backOff`.
  package init(_ backOff: BackOff, when isWorthwhile: @escaping (any Error) -> Bool = { _ in true }) {
    self.backOff = backOff
    self.isWorthwhile = isWorthwhile
  }

  package func delayBeforeRetry(of request: AdRequest, after error: any Error) -> Double? {
    isWorthwhile(error) ? backOff.delay(afterAttempt: request.attempt) : nil
  }
}

/// Delays between attempts, without any randomness so that logs stay the same.
package struct BackOff: Hashable, Sendable {
  /// Maximum number of attempts, the first included.
  package var attempts: Int
  /// Milliseconds before the second attempt.
  package var first: Double
  /// Factor by which each delay is longer than the one before.
  private var factor: Double
  /// Maximum delay in milliseconds.
  private var longest: Double

  /// Creates three attempts half a second and a second apart, unless given otherwise.
  package init(attempts: Int = 3, first: Double = 500, factor: Double = 2, longest: Double = 30_000) {
    self.attempts = attempts
    self.first = first
    self.factor = factor
    self.longest = longest
  }

  /// Returns the milliseconds before the attempt after this one; nil if it was the last.
  package func delay(afterAttempt attempt: Int) -> Double? {
    attempt < attempts ? min(longest, first * pow(factor, Double(attempt - 1))) : nil
  }
}
