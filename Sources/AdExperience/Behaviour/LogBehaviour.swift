package import MRAID

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
