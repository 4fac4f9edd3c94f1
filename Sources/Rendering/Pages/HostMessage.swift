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
