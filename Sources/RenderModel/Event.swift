package import Core

/// One line of `events.ndjson`; the same creative, device and scenario give the same lines except for `t` and `timing`.
package struct Event: Hashable, Sendable, Codable {
  /// Origin of an event.
  package enum Source: String, Sendable, Codable, CaseIterable {
    case creative, mraid, playable, modal, ad, vast, omid, simid, feed, page, network, input, host
  }

  /// Sequence number from 0, without gaps.
  package var seq: Int
  /// Milliseconds since the load began.
  package var t: Double
  package var source: Source
  /// Name of the event as established in the field: `expand`, `stateChange`, `push`, `adDidExpand`, `console`.
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
  /// Indicates if the event is a consequence of an action, rather than the action itself or a mere query.
  ///
  /// Requests don't count either: the time of their end depends on the network, and users can't see them.
  package var isEffect: Bool {
    switch source {
    case .input, .network, .omid: false
    case .host: !isOne(of: Self.ownActions)
    case .page: !isNamed(.console)
    case .ad: !isOne(of: [.creativeViewWasClicked, .adViewWasClicked])
    case .creative: !isQuestion
    case .vast: isOne(of: Self.answersOfFilms)
    case .simid: isOne(of: Self.requestsOfInteractive)
    case .playable: !isNamed(.sent)
    case .mraid, .modal, .feed: true
    }
  }

  /// Indicates if the ad opened its store or another address, or asked to.
  package var leadsOut: Bool {
    switch source {
    case .creative, .host: isNamed(.open)
    case .page: isNamed(.popup) || isNamed(.navigation) && detail["allowed"]?.bool == false
    case .playable: isNamed(.storeOpened)
    case .input, .network, .omid, .ad, .vast, .simid, .mraid, .modal, .feed: false
    }
  }

  /// Names of the host's events for the user's own actions and for screenshots.
  private static let ownActions: Set<Name> = [
    .load, .close, .rotate, .background, .foreground, .volume, .scroll, .settled, .screenshot, .screenshotFailed,
  ]

  /// Names of a video ad's events that a user causes; its other events happen by themselves.
  private static let answersOfFilms: Set<Name> = [
    .click, .skip, .closeLinear, .mute, .unmute, .pause, .resume, .playerExpand, .playerCollapse, .iconClick,
    .companionClick, .nativeClick,
  ]

  /// Names of an interactive creative's requests that a user usually causes.
  private static let requestsOfInteractive: Set<Name> = [
    .clickThru, .requestNavigation, .requestPause, .requestPlay, .requestSkip, .requestStop, .requestFullscreen,
    .requestExitFullscreen, .requestChangeAdDuration, .requestChangeVolume, .requestResize, .expandNonlinear,
    .collapseNonlinear, .reportTracking,
  ]

  /// Indicates if a call only queries or listens, and changes nothing.
  private var isQuestion: Bool {
    name.hasPrefix("get") || isOne(of: [.isViewable, .supports, .addEventListener, .removeEventListener])
  }
}

/// Pattern by which scenarios name logged events: `stateChange`, or `mraid/stateChange` if the source matters.
package struct EventPattern: Hashable, Sendable {
  /// Source of the events; nil matches every source.
  package var source: Event.Source?
  private var name: String

  /// Makes a pattern for events of this source and name.
  package init(source: Event.Source?, name: String) {
    self.source = source
    self.name = name
  }

  /// Nil unless the text is a name of letters and digits, with or without a known source and a slash before it.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count <= 2, Self.isName(last) else { return nil }
    if parts.count == 2 {
      guard let source = Event.Source(rawValue: String(parts[0])) else { return nil }
      self.source = source
    }
    name = String(last)
  }

  /// Indicates if the logged event matches the pattern.
  package func matches(_ event: Event) -> Bool {
    event.name == name && (source == nil || event.source == source)
  }

  /// Indicates if the text is a letter followed by letters and digits, at most 64 characters in all.
  static func isName(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter, text.count <= 64 else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
