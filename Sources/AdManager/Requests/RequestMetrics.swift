package import Core

/// Counters of requests: each attempt that was sent is counted under one of the results once it has ended.
package struct RequestMetrics: Hashable, Sendable {
  /// Number of attempts, the first of each request and all others.
  package var sent = 0
  package var succeeded = 0
  /// Attempts that failed and weren't repeated.
  package var failed = 0
  /// Attempts that failed and were repeated.
  package var retried = 0
  /// Attempts that were cancelled.
  package var cancelled = 0
  /// Bytes of all responses that have a size.
  package var bytes = 0

  package init() {}
}

/// Counts the results of requests.
package final class MetricsBehaviour: RequestBehaviour {
  /// Counters so far.
  package private(set) var metrics = RequestMetrics()

  /// Creates a behaviour whose counters are zero.
  package init() {}

  package func beforeSend(_ request: inout AdRequest) { metrics.sent += 1 }

  package func afterSuccess(_ request: AdRequest, size: Int?) {
    metrics.succeeded += 1
    metrics.bytes += size ?? 0
  }

  package func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?) {
    if delay != nil {
      metrics.retried += 1
    } else if error is PromiseCancelled {
      metrics.cancelled += 1
    } else {
      metrics.failed += 1
    }
  }
}

/// Shows an indicator while a request is in progress, its retries included.
package final class ActivityBehaviour: RequestBehaviour {
  private let show: (AdRequest) -> Void
  private let hide: (AdRequest) -> Void
  /// Number of requests in progress, by their address.
  private var underWay: [String: Int] = [:]

  /// Creates an indicator for each address: shown at its first request, hidden after the last has ended.
  package init(show: @escaping (AdRequest) -> Void, hide: @escaping (AdRequest) -> Void) {
    self.show = show
    self.hide = hide
  }

  package func beforeSend(_ request: inout AdRequest) {
    guard request.attempt == 1 else { return }
    underWay[request.url, default: 0] += 1
    if underWay[request.url] == 1 { show(request) }
  }

  package func afterSuccess(_ request: AdRequest, size: Int?) { end(request) }

  package func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?) {
    if delay == nil { end(request) }
  }

  private func end(_ request: AdRequest) {
    underWay[request.url, default: 0] -= 1
    if underWay[request.url] == 0 { hide(request) }
  }
}

/// Logs every attempt and its result; of header fields only the names, since some values are secret.
package final class LogBehaviour: RequestBehaviour {
  private let record: (_ name: String, _ detail: JSONValue) -> Void

  /// Creates a behaviour that passes each event to `record`.
  package init(record: @escaping (_ name: String, _ detail: JSONValue) -> Void) { self.record = record }

  package func beforeSend(_ request: inout AdRequest) {
    var detail = detail(of: request)
    if !request.headers.isEmpty { detail["headers"] = .array(request.headers.keys.sorted().map { .string($0) }) }
    record("requestSent", .object(detail))
  }

  package func afterSuccess(_ request: AdRequest, size: Int?) {
    var detail = detail(of: request)
    if let size { detail["bytes"] = .number(Double(size)) }
    record("requestSucceeded", .object(detail))
  }

  package func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?) {
    var detail = detail(of: request)
    detail["error"] = .string("\(error)")
    if let delay { detail["retryIn"] = .number(delay) }
    record("requestFailed", .object(detail))
  }

  private func detail(of request: AdRequest) -> [String: JSONValue] {
    ["url": .string(request.url), "attempt": .number(Double(request.attempt))]
  }
}
