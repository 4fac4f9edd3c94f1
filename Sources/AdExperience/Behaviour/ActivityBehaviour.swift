/// Shows that something is under way for as long as it is, other tries included.
package final class ActivityBehaviour: RequestBehaviour {
  private let show: () -> Void
  private let hide: () -> Void
  private var underWay = 0

  /// An indicator that is shown when the first request begins and hidden when the last has ended.
  package init(show: @escaping () -> Void, hide: @escaping () -> Void) {
    self.show = show
    self.hide = hide
  }

  package func beforeSend(_ request: inout AdRequest) {
    guard request.attempt == 1 else { return }
    underWay += 1
    if underWay == 1 { show() }
  }

  package func afterSuccess(_ request: AdRequest, size: Int?) { end() }

  package func afterFailure(_ request: AdRequest, _ error: any Error, retryIn delay: Double?) {
    if delay == nil { end() }
  }

  private func end() {
    underWay -= 1
    if underWay == 0 { hide() }
  }
}
