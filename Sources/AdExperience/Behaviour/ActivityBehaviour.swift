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
