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
