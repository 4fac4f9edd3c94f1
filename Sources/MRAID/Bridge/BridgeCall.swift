package import Core

/// Call of an `mraid` method; of a getter only the first call in each state is reported.
package struct BridgeCall: Hashable, Sendable {
  /// Name of the method, without `mraid.`.
  package var name: String
  /// Arguments that the page passed; null for those that JSON can't represent.
  package var arguments: [JSONValue]
  /// Indicates if the user had just touched the ad (`navigator.userActivation.isActive`).
  package var gesture: Bool
  /// Value of `getState()` at the time of the call; nil if unknown.
  package var state: MRAIDState?
  /// Error in the call that the bridge itself found; nil if none.
  package var problem: String?
  /// Indicates if the container only logs the call, without an effect.
  package var isInert: Bool
  /// Message of the `error` that listeners received during the call, in containers that raise errors there; nil if
  /// none.
  package var told: String?
  /// Indicates that a listener removed itself while it ran and another follows it, which some containers then skip.
  package var skipsListener: Bool

  package init(
    name: String, arguments: [JSONValue] = [], gesture: Bool = false, state: MRAIDState? = nil, problem: String? = nil,
    isInert: Bool = false, told: String? = nil, skipsListener: Bool = false
  ) {
    self.name = name
    self.arguments = arguments
    self.gesture = gesture
    self.state = state
    self.problem = problem
    self.isInert = isInert
    self.told = told
    self.skipsListener = skipsListener
  }

  /// Reads a call from the message's object; nil if it has no name.
  init?(_ value: JSONValue) {
    guard let name = value["name"]?.string, !name.isEmpty else { return nil }
    self.init(
      name: name, arguments: value["args"]?.array ?? [], gesture: value["gesture"]?.bool ?? false,
      state: value["state"]?.string.flatMap(MRAIDState.init(rawValue:)), problem: value["problem"]?.string,
      isInert: value["inert"]?.bool ?? false, told: value["told"]?.string,
      skipsListener: value["skips"]?.bool ?? false)
  }
}

extension BridgeCall {
  /// Command for the session; nil for getters, unknown names and inert calls, `.misuse` for wrong arguments.
  package var command: MRAIDCommand? {
    if isInert { return nil }
    if let problem { return .misuse(action: name, message: problem) }
    switch name {
    case "expand": return expand
    case "resize": return .resize
    case "close": return .close
    case "unload": return .unload
    case "initVpaid": return .initVpaid
    case "open": return withURL { .open(url: $0) }
    case "playVideo": return withURL { .playVideo(uri: $0) }
    case "storePicture": return withURL { .storePicture(uri: $0) }
    case "useCustomClose": return first.bool.map(MRAIDCommand.useCustomClose) ?? misuse("true or false")
    case "setResizeProperties": return .setResizeProperties(first)
    case "setExpandProperties": return withObject { .setExpandProperties($0) }
    case "setOrientationProperties": return withObject { .setOrientationProperties($0) }
    case "createCalendarEvent": return withObject { .createCalendarEvent($0) }
    case "addEventListener": return first.string.map(MRAIDCommand.addEventListener) ?? misuse("an event name")
    default: return nil
    }
  }

  private var first: JSONValue { arguments.first ?? .null }

  /// Command of an `expand` call; without a URL, or with null or an empty one, it is a one-part expand.
  private var expand: MRAIDCommand {
    switch first {
    case .null: .expand(url: nil)
    case .string(let url): .expand(url: url)
    default: misuse("a URL string or nothing")
    }
  }

  private func withURL(_ command: (String) -> MRAIDCommand) -> MRAIDCommand {
    first.string.map(command) ?? misuse("a URL string")
  }

  private func withObject(_ command: (JSONValue) -> MRAIDCommand) -> MRAIDCommand {
    first.object == nil ? misuse("an object") : command(first)
  }

  private func misuse(_ expected: String) -> MRAIDCommand {
    .misuse(action: name, message: "\(name) needs \(expected), not \(first.kind)")
  }
}

extension JSONValue {
  /// Description of the value's type for messages.
  fileprivate var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
