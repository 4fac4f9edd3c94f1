internal import Core
internal import Foundation

/// What the observing scripts in each frame report; the bridge's own messages are `BridgeMessage`.
struct PageMessage: Sendable {
  /// What it reports; the raw values are the log's names.
  enum Kind: String {
    case console, exception, rejection, violation, socket, storage, consent
    /// A web socket is open, or won't be; not for the log.
    case socketSettled
    /// The page makes several workers of one file before any has said a word; not for the log.
    case workersOfOneFile
  }

  let kind: Kind
  private let members: [String: JSONValue]
  /// Whether it happened in a frame of the page.
  var isInFrame = false

  /// As the log has it.
  var detail: JSONValue { .object(isInFrame ? members.merging(["frame": "iframe"]) { $1 } : members) }

  /// Nil when the text is something else; nothing in it is trusted.
  init?(_ json: String) {
    guard json.utf8.count < 1_000_000, let data = json.data(using: .utf8),
      case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: data),
      case .string(let name)? = members["observed"], let kind = Kind(rawValue: name)
    else { return nil }
    self.kind = kind
    self.members = members["detail"]?.object ?? [:]
  }
}

/// What a script of the host's world posts: what it says itself, or what it was told by an element that only it and a
/// script of Galley's in the page's world know.
struct HostMessage {
  /// Who says it. A page can pretend to be none of them but, in frames that it made, the observing scripts there.
  enum Speaker: String {
    /// The host's own scripts.
    case host
    /// The observing scripts of the top frame, and of a frame in it.
    case page, frame
    /// The script that counts where films are.
    case films
    /// `mraid` of the top frame.
    case bridge
    /// The player's page.
    case player
    /// The Open Measurement service of the top frame.
    case omid
  }

  let speaker: Speaker
  let text: String

  /// Nil when it is nobody's.
  init?(_ message: String) {
    guard let space = message.firstIndex(of: " "), let speaker = Speaker(rawValue: String(message[..<space])) else {
      return nil
    }
    self.speaker = speaker
    text = String(message[message.index(after: space)...])
  }
}
