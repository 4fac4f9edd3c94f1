package import Core
internal import Foundation

/// Message of the observing scripts in each frame; the bridge's own messages are `BridgeMessage`.
package struct PageMessage: Sendable {
  /// Kind of the event; the raw values are the names in the log.
  package enum Kind: String, Sendable {
    case console, exception, rejection, violation, socket, storage, consent, fullScreen
    /// A web socket has opened or failed; not for the log.
    case socketSettled
    /// The page creates several workers of one file before any of them has sent a message; not for the log.
    case workersOfOneFile
  }

  package let kind: Kind
  private let members: [String: JSONValue]
  /// Indicates that it happened in a frame of the page.
  package var isInFrame = false

  /// Detail of the event in the log.
  package var detail: JSONValue { .object(isInFrame ? members.merging(["frame": "iframe"]) { $1 } : members) }

  /// Decodes a message; nil if the text is something else. Nothing in it is trusted.
  package init?(_ json: String) {
    guard json.utf8.count < 1_000_000, let data = json.data(using: .utf8),
      case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: data),
      case .string(let name)? = members["observed"], let kind = Kind(rawValue: name)
    else { return nil }
    self.kind = kind
    self.members = members["detail"]?.object ?? [:]
  }
}

/// Message of a script in the host's world: its own, or one passed on from a script of Galley's in the page's world.
///
/// The two scripts communicate through an element that only they know.
package struct HostMessage: Sendable {
  /// Source of the message. A page can only imitate the observing scripts, and only in frames that it made.
  package enum Speaker: String, Sendable {
    /// The host's own scripts.
    case host
    /// The observing scripts of the top frame, and of a frame in it.
    case page, frame
    /// The script that counts the waits of videos.
    case films
    /// `mraid` of the top frame.
    case bridge
    /// The player's page.
    case player
    /// The Open Measurement service of the top frame.
    case omid
  }

  package let speaker: Speaker
  package let text: String

  /// Decodes a message; nil if its source is unknown.
  package init?(_ message: String) {
    guard let space = message.firstIndex(of: " "), let speaker = Speaker(rawValue: String(message[..<space])) else {
      return nil
    }
    self.speaker = speaker
    text = String(message[message.index(after: space)...])
  }
}
