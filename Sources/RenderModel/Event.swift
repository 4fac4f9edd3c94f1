package import Core
internal import FoundationEssentials
internal import Glibc

/// One line of `events.ndjson`; the same creative, device and scenario give the same lines but for `t` and `timing`.
package struct Event: Hashable, Sendable, Codable {
  /// Who did it.
  package enum Source: String, Sendable, Codable, CaseIterable {
    case creative, mraid, modal, ad, vast, feed, page, network, input, host
  }

  /// From 0, without gaps.
  package var seq: Int
  /// Milliseconds since the load began.
  package var t: Double
  package var source: Source
  /// The field's word for it: `expand`, `stateChange`, `push`, `adDidExpand`, `console`.
  package var name: String
  package var detail: JSONValue

  package init(seq: Int, t: Double, source: Source, name: String, detail: JSONValue = .object([:])) {
    self.seq = seq
    self.t = t
    self.source = source
    self.name = name
    self.detail = detail
  }
}

extension Event {
  /// Whether it says that something came of an action, rather than that the action was done or looked at.
  ///
  /// Requests don't count either: when they end is the network's affair, and nobody sees them.
  package var isEffect: Bool {
    switch source {
    case .input, .network: false
    case .host: !Self.ownActions.contains(name)
    case .page: name != "console"
    case .ad: name != "creativeViewWasClicked" && name != "adViewWasClicked"
    case .creative: !Self.isQuestion(name)
    case .vast: Self.answersOfFilms.contains(name)
    case .mraid, .modal, .feed: true
    }
  }

  /// What the host logs of the person's own doing, and of taking pictures.
  private static let ownActions: Set<String> = [
    "load", "close", "rotate", "background", "foreground", "volume", "scroll", "settled", "screenshot", "pictureFailed",
  ]

  /// What a film tells because of a person; its moments come by themselves.
  private static let answersOfFilms: Set<String> = [
    "click", "skip", "closeLinear", "mute", "unmute", "pause", "resume", "playerExpand", "playerCollapse", "iconClick",
    "companionClick",
  ]

  /// Calls that ask or listen and change nothing.
  private static func isQuestion(_ name: String) -> Bool {
    name.hasPrefix("get") || ["isViewable", "supports", "addEventListener", "removeEventListener"].contains(name)
  }
}

/// How scenarios name logged events: `stateChange`, or `mraid/stateChange` when the source matters.
package struct EventPattern: Hashable, Sendable {
  /// Nil matches every source.
  package var source: Event.Source?
  private var name: String

  /// Events of this source and name.
  package init(source: Event.Source?, name: String) {
    self.source = source
    self.name = name
  }

  /// Nil when the text isn't a name of letters and digits, with or without a known source before a slash.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count <= 2, Self.isName(last) else { return nil }
    if parts.count == 2 {
      guard let source = Event.Source(rawValue: String(parts[0])) else { return nil }
      self.source = source
    }
    name = String(last)
  }

  /// Whether the logged event is the one meant.
  package func matches(_ event: Event) -> Bool {
    event.name == name && (source == nil || event.source == source)
  }

  /// A letter, then letters and digits, at most 64 of them.
  static func isName(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter, text.count <= 64 else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}

/// The event log of a render that has ended, or ended in the midst of a line.
package enum EventLog {
  /// Bytes read at a time, and the most of a line: an event has far less.
  private static let piece = 1 << 18
  private static let longest = 1 << 20
  /// Events that are taken in, more than any log has.
  private static let most = 20_000

  /// Its events, without lines that can't be read; none where there is no log.
  package static func events(at path: String) -> [Event] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    let decoder = JSONDecoder()
    var events: [Event] = []
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: piece)
    while events.count < most {
      let count = read(file, &chunk, piece)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      var rest = chunk[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        line += rest[..<end]
        if let event = decoded(line, decoder) { events.append(event) }
        line.removeAll(keepingCapacity: true)
        rest = rest[(end + 1)...]
      }
      // What is left of a line that is too long is no event either.
      if line.count <= longest { line += rest }
    }
    if let event = decoded(line, decoder) { events.append(event) }
    return events
  }

  private static func decoded(_ line: [UInt8], _ decoder: JSONDecoder) -> Event? {
    line.isEmpty || line.count > longest ? nil : try? decoder.decode(Event.self, from: Data(line))
  }
}
