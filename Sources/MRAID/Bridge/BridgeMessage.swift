package import Core
internal import Foundation

/// Where in a script something was thrown; what the engine doesn't know is nil.
package struct ScriptPlace: Hashable, Sendable {
  private var file: String?
  private var line: Int?
  private var column: Int?

  package init(file: String? = nil, line: Int? = nil, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// Reads the message's members; a number that is no place in a script is left out.
  init(_ value: JSONValue) {
    let number: (String) -> Int? = { value[$0]?.number.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 } }
    self.init(file: value["file"]?.string, line: number("line"), column: number("column"))
  }

  /// As the log has it.
  package var detail: [String: JSONValue] {
    var detail: [String: JSONValue] = [:]
    detail["file"] = file.map { .string($0) }
    detail["line"] = line.map { .number(Double($0)) }
    detail["column"] = column.map { .number(Double($0)) }
    return detail
  }
}

/// What the bridge in the page says to the host.
package enum BridgeMessage: Hashable, Sendable {
  /// The page called a method of `mraid`.
  case call(BridgeCall)
  /// A listener, or the VPAID object, threw; the others were still called.
  case listenerError(event: String, message: String, place: ScriptPlace)
  /// The VPAID object reported an event, or the bridge called its `startAd`.
  case vpaid(event: String, arguments: [JSONValue])
  /// The host's events are being dispatched from here on, or are no longer: what is said between comes of them.
  case dispatch(begins: Bool)

  /// Longer messages are refused: no honest call is that long.
  static let maximumLength = 4 << 20
  /// Deeper nesting is refused.
  private static let maximumDepth = 64

  /// Reads a message; nil for anything that isn't one.
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
    case "dispatch": return value["begins"]?.bool.map { .dispatch(begins: $0) }
    default: return nil
    }
  }

  /// The deepest nesting of brackets outside strings, before anything recursive looks at the text.
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
