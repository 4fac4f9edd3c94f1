package import Core

/// One call of an `mraid` method; of a getter only the first in each state is reported.
package struct BridgeCall: Hashable, Sendable {
  /// The bare method name.
  package var name: String
  /// As the page gave them; what JSON can't say is null.
  package var arguments: [JSONValue]
  /// Whether the person had just touched the ad (`navigator.userActivation.isActive`).
  package var gesture: Bool
  /// What `getState()` answered at that moment.
  package var state: MRAIDState?
  /// What the bridge itself found wrong with the call.
  package var problem: String?
  /// Whether the container does nothing about it.
  package var isInert: Bool
  /// The `error` that listeners heard in the call, where the container raises them so.
  package var told: String?
  /// Whether a listener removed itself while it ran and has another after it, which some containers then miss.
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

  /// Reads the message's object; nil without a name.
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
  /// What the session has to hear of; nil for getters, unknown names and inert calls, `.misuse` for wrong arguments.
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

  /// No URL, null and an empty one all mean a one-part expand.
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
  /// What it is, for messages.
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
