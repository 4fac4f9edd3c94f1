package import Core

/// What became of requests: each try that was sent has one of the other ends once it is over.
package struct RequestMetrics: Hashable, Sendable {
  /// Tries, the first of each request and all others.
  package var sent = 0
  package var succeeded = 0
  /// Tries that failed for good.
  package var failed = 0
  /// Tries that failed and were followed by another.
  package var retried = 0
  /// Tries that nobody waited for any more.
  package var cancelled = 0
  /// Of all answers that have a size.
  package var bytes = 0

  package init() {}
}

/// Counts what requests came to.
package final class MetricsBehaviour: RequestBehaviour {
  /// What was counted so far.
  package private(set) var metrics = RequestMetrics()

  /// A behaviour that has counted nothing yet.
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

/// Shows that something is under way for as long as it is, other tries included.
package final class ActivityBehaviour: RequestBehaviour {
  private let show: (AdRequest) -> Void
  private let hide: (AdRequest) -> Void
  /// Requests under way, by what they ask for.
  private var underWay: [String: Int] = [:]

  /// An indicator for each address: shown when the first request for it begins, hidden when the last has ended.
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

/// Tells an event log of every try and what came of it; of header fields only the names, since some are secrets.
package final class LogBehaviour: RequestBehaviour {
  private let record: (_ name: String, _ detail: JSONValue) -> Void

  /// A behaviour that hands each event to `record`.
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
