internal import Foundation
internal import MRAID

/// What the observing scripts in each frame report; the bridge's own messages are `BridgeMessage`.
struct PageMessage: Sendable {
  /// The event's name in the log: console, exception, rejection, violation; or socket, for one that was opened.
  let name: String
  let members: [String: JSONValue]
  /// Whether it happened in a frame of the page.
  var isInFrame = false

  /// As the log has it.
  var detail: JSONValue { .object(isInFrame ? members.merging(["frame": "iframe"]) { $1 } : members) }

  /// Nil when the text is something else; nothing in it is trusted.
  init?(_ json: String) {
    guard json.utf8.count < 1_000_000, let data = json.data(using: .utf8),
      case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: data),
      case .string(let name)? = members["observed"], Self.names.contains(name)
    else { return nil }
    self.name = name
    self.members = members["detail"]?.object ?? [:]
  }

  private static let names: Set<String> = ["console", "exception", "rejection", "violation", "socket"]
}
