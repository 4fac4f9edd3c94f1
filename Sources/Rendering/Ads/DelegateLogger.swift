internal import AdManager
internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Writes what the ad manager and the modal manager tell into the event log, every call of every delegate.
@WebKitActor final class DelegateLogger {
  private let recorder: Recorder
  /// The ad's load ended: nil when it was loaded.
  var onLoaded: ((AdError?) -> Void)?
  /// The ad appeared.
  var onDisplay: (() -> Void)?
  /// The creative took itself away.
  var onUnload: (() -> Void)?

  /// Which of a feed's ads it is; nil for the only one.
  private let ad: AdViewID?

  init(recorder: Recorder, ad: AdViewID? = nil) {
    self.recorder = recorder
    self.ad = ad
  }

  private func logEvent(_ name: String, _ detail: JSONValue = .object([:])) {
    var detail = detail
    if let ad, case .object(var members) = detail {
      members["ad"] = .string(ad.rawValue)
      detail = .object(members)
    }
    recorder.record(.ad, name, detail)
  }
}

extension DelegateLogger: @WebKitActor AdViewManagerDelegate {
  func adLoaded(_ details: AdDetails) {
    logEvent(
      "adLoaded",
      [
        "width": .number(details.size.width), "height": .number(details.size.height),
        "creatives": .number(Double(details.creativeCount)),
      ])
    onLoaded?(nil)
  }

  func failedToLoad(_ error: AdError) {
    logEvent("failedToLoad", ["error": .string(error.description), "code": .string(error.code)])
    onLoaded?(error)
  }

  func adDidComplete() { logEvent("adDidComplete") }
  func adDidDisplay() {
    logEvent("adDidDisplay")
    onDisplay?()
  }

  func adDidClose() { logEvent("adDidClose") }
  func adWasClicked() { logEvent("adWasClicked") }
  func adViewWasClicked() { logEvent("adViewWasClicked") }
  func adDidLeaveApp() { logEvent("adDidLeaveApp") }
  func adClickthroughDidClose() { logEvent("adClickthroughDidClose") }
  func adDidExpand() { logEvent("adDidExpand") }
  func adDidCollapse() { logEvent("adDidCollapse") }
}

extension DelegateLogger: @WebKitActor CreativeDelegateObserver {
  func creativeDidCall(_ name: String, detail: JSONValue) {
    logEvent(name, detail)
  }

  func creativeUnloads() { onUnload?() }
}

extension DelegateLogger: @WebKitActor ModalManagerListener {
  func modalManager(didApply transition: ModalTransition) {
    var detail: [String: JSONValue] = ["depth": .number(Double(transition.states.count))]
    if let top = transition.top { detail["top"] = .string(top.kind.name) }
    if !transition.removed.isEmpty { detail["removed"] = .array(transition.removed.map { .string($0.kind.name) }) }
    recorder.record(.modal, transition.operation.logName, .object(detail))
  }
}

extension ModalTransition.Operation {
  /// The manager's method.
  fileprivate var logName: String {
    switch self {
    case .push: "push"
    case .reset: "reset"
    case .pop: "popState"
    case .clear: "clearStates"
    }
  }
}
