internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import RenderModel

/// Logs all calls of the ad manager and the modal manager to their delegates.
@EngineActor final class DelegateLogger {
  private let recorder: Recorder
  /// Called when the ad's load has ended, with nil if it succeeded.
  var onLoaded: ((AdError?) -> Void)?
  /// Called when the ad has appeared.
  var onDisplay: (() -> Void)?
  /// Called when the creative has unloaded itself.
  var onUnload: (() -> Void)?

  /// Name of the ad in a feed; nil for the only ad.
  private let ad: AdViewID?

  init(recorder: Recorder, ad: AdViewID? = nil) {
    self.recorder = recorder
    self.ad = ad
  }

  private func logEvent(_ name: Event.Name, _ detail: JSONValue = .object([:])) {
    var detail = detail
    if let ad, case .object(var members) = detail {
      members["ad"] = .string(ad.rawValue)
      detail = .object(members)
    }
    recorder.record(.ad, name, detail)
  }
}

extension DelegateLogger: @EngineActor AdViewManagerDelegate {
  func adLoaded(_ details: AdDetails) {
    logEvent(
      .adLoaded,
      [
        "width": .number(details.size.width), "height": .number(details.size.height),
        "creatives": .number(Double(details.creativeCount)),
      ])
    onLoaded?(nil)
  }

  func failedToLoad(_ error: AdError) {
    logEvent(.failedToLoad, ["error": .string(error.description), "code": .string(error.code)])
    onLoaded?(error)
  }

  func adDidComplete() { logEvent(.adDidComplete) }
  func adDidDisplay() {
    logEvent(.adDidDisplay)
    onDisplay?()
  }

  func adDidClose() { logEvent(.adDidClose) }
  func adWasClicked() { logEvent(.adWasClicked) }
  func adViewWasClicked() { logEvent(.adViewWasClicked) }
  func adDidLeaveApp() { logEvent(.adDidLeaveApp) }
  func adClickthroughDidClose() { logEvent(.adClickthroughDidClose) }
  func adDidExpand() { logEvent(.adDidExpand) }
  func adDidCollapse() { logEvent(.adDidCollapse) }
}

extension DelegateLogger: @EngineActor CreativeDelegateObserver {
  func creativeDidCall(_ name: String, detail: JSONValue) {
    logEvent(Event.Name(rawValue: name), detail)
  }

  func creativeUnloads() { onUnload?() }
}

extension DelegateLogger: @EngineActor ModalManagerListener {
  func modalManager(didApply transition: ModalTransition) {
    var detail: [String: JSONValue] = ["depth": .number(Double(transition.states.count))]
    if let top = transition.top { detail["top"] = .string(top.kind.name) }
    if !transition.removed.isEmpty { detail["removed"] = .array(transition.removed.map { .string($0.kind.name) }) }
    recorder.record(.modal, transition.operation.logName, .object(detail))
  }
}

extension ModalTransition.Operation {
  /// Name of the manager's method.
  fileprivate var logName: Event.Name {
    switch self {
    case .push: .push
    case .reset: .reset
    case .pop: .popState
    case .clear: .clearStates
    }
  }
}
