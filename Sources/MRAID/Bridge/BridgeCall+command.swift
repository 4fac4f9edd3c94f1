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
