package import Core
internal import Foundation

/// Place in a script at which an error was thrown; members that the engine doesn't report are nil.
package struct ScriptPlace: Hashable, Sendable {
  private var file: String?
  private var line: Int?
  private var column: Int?

  package init(file: String? = nil, line: Int? = nil, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// Reads the members of a message; negative or fractional numbers are left out.
  init(_ value: JSONValue) {
    let number: (String) -> Int? = { value[$0]?.number.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 } }
    self.init(file: value["file"]?.string, line: number("line"), column: number("column"))
  }

  /// Members of the place for the log's details.
  package var detail: [String: JSONValue] {
    var detail: [String: JSONValue] = [:]
    detail["file"] = file.map { .string($0) }
    detail["line"] = line.map { .number(Double($0)) }
    detail["column"] = column.map { .number(Double($0)) }
    return detail
  }
}

/// Message from the bridge in the page to the host.
package enum BridgeMessage: Hashable, Sendable {
  /// The page called a method of `mraid`.
  case call(BridgeCall)
  /// A listener or a function of the VPAID object threw; the bridge continued, unless the container stops there.
  case listenerError(event: String, message: String, place: ScriptPlace)
  /// The VPAID object reported an event, or the bridge called its `startAd`.
  case vpaid(event: String, arguments: [JSONValue])
  /// A playable called its network.
  case playable(PlayableCall)
  /// The page received a call of its network; `isAnswered` if it has a function or a listener for it.
  case sent(call: String, isAnswered: Bool)
  /// The dispatch of the host's events begins or ends; messages in between result from these events.
  case dispatch(begins: Bool)

  /// Maximum length of a message in bytes; longer ones are refused, as no honest call is that long.
  static let maximumLength = 4 << 20
  /// Maximum nesting of a message; deeper ones are refused.
  private static let maximumDepth = 64

  /// Reads a message; nil for any other text.
  package static func decode(_ json: String) -> BridgeMessage? {
    guard json.utf8.count <= maximumLength, depth(of: json) <= maximumDepth,
      let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    else { return nil }
    switch value["type"]?.string {
    case "call": return BridgeCall(value).map(BridgeMessage.call)
    case "listenerError":
      guard let event = value["event"]?.string else { return nil }
      let message = value["message"]?.string ?? ""
      return .listenerError(event: event, message: message, place: ScriptPlace(value))
    case "vpaid":
      guard let event = value["event"]?.string else { return nil }
      return .vpaid(event: event, arguments: value["args"]?.array ?? [])
    case "playable": return PlayableCall(value).map(BridgeMessage.playable)
    case "sent":
      guard let call = value["call"]?.string else { return nil }
      return .sent(call: call, isAnswered: value["answered"]?.bool ?? false)
    case "dispatch": return value["begins"]?.bool.map { .dispatch(begins: $0) }
    default: return nil
    }
  }

  /// Returns the deepest nesting of brackets outside strings, without recursion, for a check before the text is
  /// decoded.
  private static func depth(of json: String) -> Int {
    var depth = 0
    var deepest = 0
    var isInString = false
    var isEscaped = false
    for byte in json.utf8 {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        isEscaped = byte == UInt8(ascii: "\\")
        isInString = byte != UInt8(ascii: "\"")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        deepest = max(deepest, depth)
      }
    }
    return deepest
  }
}
