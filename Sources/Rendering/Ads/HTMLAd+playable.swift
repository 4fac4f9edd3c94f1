internal import AdManager
internal import Core
internal import MRAID
internal import RenderModel

extension HTMLAd {
  /// Logs a playable's call to its network, and passes it on.
  func heard(_ call: PlayableCall, from controller: PageController, weight: Int) {
    guard let role = context.hostProfile.behaviour.bridge.playable.role(of: call.name) else { return }
    let action: () -> Void = { [weak self] in
      self?.context.delegate?.becameActive()
      self?.creative?.handle(.session(.called(call)))
    }
    controller.logEvent(
      source: .playable, role == .store ? .storeOpened : .called, call.detail(as: role), weight: weight,
      whenTold: speaks, action: action)
  }
}

extension PlayableCall {
  /// Detail of a call with this effect in the log.
  fileprivate func detail(as role: PlayableInterface.Role) -> JSONValue {
    guard role == .store else {
      var detail: [String: JSONValue] = ["call": .string(name), "arguments": .array(arguments)]
      detail["problem"] = problem.map { .string($0) }
      return .object(detail)
    }
    var detail: [String: JSONValue] = ["call": .string(name), "gesture": .bool(gesture)]
    detail["url"] = url.map { .string($0) }
    return .object(detail)
  }
}
