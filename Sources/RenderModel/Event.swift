package import Core

/// One line of `events.ndjson`; the same creative, device and scenario give the same lines but for `t` and `timing`.
package struct Event: Hashable, Sendable, Codable {
  /// Who did it.
  package enum Source: String, Sendable, Codable, CaseIterable {
    case creative, mraid, modal, ad, vast, omid, simid, feed, page, network, input, host
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
    case .input, .network, .omid: false
    case .host: !Self.ownActions.contains(name)
    case .page: name != "console"
    case .ad: name != "creativeViewWasClicked" && name != "adViewWasClicked"
    case .creative: !Self.isQuestion(name)
    case .vast: Self.answersOfFilms.contains(name)
    case .simid: Self.requestsOfInteractive.contains(name)
    case .mraid, .modal, .feed: true
    }
  }

  /// What the host logs of the person's own doing, and of taking pictures.
  private static let ownActions: Set<String> = [
    "load", "close", "rotate", "background", "foreground", "volume", "scroll", "settled", "screenshot",
    "screenshotFailed",
  ]

  /// What a film tells because of a person; its moments come by themselves.
  private static let answersOfFilms: Set<String> = [
    "click", "skip", "closeLinear", "mute", "unmute", "pause", "resume", "playerExpand", "playerCollapse", "iconClick",
    "companionClick", "nativeClick",
  ]

  /// What an interactive creative asks for because of a person, as a rule.
  private static let requestsOfInteractive: Set<String> = [
    "clickThru", "requestNavigation", "requestPause", "requestPlay", "requestSkip", "requestStop", "requestFullscreen",
    "requestExitFullscreen", "requestChangeAdDuration", "requestChangeVolume", "requestResize", "expandNonlinear",
    "collapseNonlinear", "reportTracking",
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
