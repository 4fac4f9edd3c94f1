internal import Foundation

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

/// What is asked for, as it goes out: behaviours may add to it, whoever loads it only sends it.
package struct AdRequest: Hashable, Sendable {
  /// The address, or for what needs none a name for it.
  package var url: String
  /// Header fields besides those that every request of the loader's has.
  package var headers: [String: String]
  /// 1 for the first time, one more for each time it is tried again.
  package var attempt: Int

  /// A request that goes out for the first time.
  package init(url: String, headers: [String: String] = [:], attempt: Int = 1) {
    self.url = url
    self.headers = headers
    self.attempt = attempt
  }
}

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

/// Adds who asks to every request; the token is asked for each time, since it may have been renewed.
package final class AuthorizationBehaviour: RequestBehaviour {
  private let scheme: String
  private let token: () -> String?

  /// A behaviour that sets `Authorization` to the scheme and the token; without a token the field is left out.
  package init(scheme: String = "Bearer", token: @escaping () -> String?) {
    self.scheme = scheme
    self.token = token
  }

  package func beforeSend(_ request: inout AdRequest) {
    if let token = token() { request.headers["Authorization"] = "\(scheme) \(token)" }
  }
}

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

/// How long to wait before another try, with nothing left to chance so that logs stay the same.
package struct BackOff: Hashable, Sendable {
  /// Tries in all, the first included.
  package var attempts: Int
  /// Milliseconds before the second try.
  package var first: Double
  /// What each wait is multiplied by for the next.
  private var factor: Double
  /// Milliseconds that no wait exceeds.
  private var longest: Double

  /// Three tries half a second and a second apart, unless said otherwise.
  package init(attempts: Int = 3, first: Double = 500, factor: Double = 2, longest: Double = 30_000) {
    self.attempts = attempts
    self.first = first
    self.factor = factor
    self.longest = longest
  }

  /// Milliseconds before the try after this one, nil when it was the last.
  package func delay(afterAttempt attempt: Int) -> Double? {
    attempt < attempts ? min(longest, first * pow(factor, Double(attempt - 1))) : nil
  }
}
