internal import AdManager
internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Writes what the ad manager and the modal manager tell into the event log, every call of every delegate.
@WebKitActor final class AdLog {
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

  private func note(_ name: String, _ detail: JSONValue = .object([:])) {
    var detail = detail
    if let ad, case .object(var members) = detail {
      members["ad"] = .string(ad.rawValue)
      detail = .object(members)
    }
    recorder.record(.ad, name, detail)
  }
}

extension AdLog: @WebKitActor AdViewManagerDelegate {
  func adLoaded(_ details: AdDetails) {
    note(
      "adLoaded",
      [
        "width": .number(details.size.width), "height": .number(details.size.height),
        "creatives": .number(Double(details.creativeCount)),
      ])
    onLoaded?(nil)
  }

  func failedToLoad(_ error: AdError) {
    note("failedToLoad", ["error": .string(error.description), "code": .string(error.code)])
    onLoaded?(error)
  }

  func adDidComplete() { note("adDidComplete") }
  func adDidDisplay() {
    note("adDidDisplay")
    onDisplay?()
  }

  func adDidClose() { note("adDidClose") }
  func adWasClicked() { note("adWasClicked") }
  func adViewWasClicked() { note("adViewWasClicked") }
  func adDidLeaveApp() { note("adDidLeaveApp") }
  func adClickthroughDidClose() { note("adClickthroughDidClose") }
  func adDidExpand() { note("adDidExpand") }
  func adDidCollapse() { note("adDidCollapse") }
}

extension AdLog: @WebKitActor CreativeDelegateObserver {
  func creativeDidCall(_ name: String, detail: JSONValue) {
    note(name, detail)
  }

  func creativeUnloads() { onUnload?() }
}

extension AdLog: @WebKitActor ModalManagerListener {
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
