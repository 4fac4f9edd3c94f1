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
