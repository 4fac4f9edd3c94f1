internal import Core

/// Outcome of a call that leaves the ad: to the browser, the player, the photo album, the calendar or VPAID.
struct DeviceCall {
  /// Effects for the host, in order.
  private(set) var effects: [MRAIDEffect] = []
  /// Message of the `error` that the page receives after them; nil if there is no problem.
  private(set) var problem: String?

  /// Decides a call by the host's profile; all other commands have no outcome.
  init(_ command: MRAIDCommand, gesture: Bool, on profile: HostProfile) {
    switch command {
    case .open(let url): open(url, gesture: gesture, profile)
    case .playVideo(let uri):
      problem = AdLink.resourceProblem(uri)
      if problem == nil { effects = [.playVideo(AdLink.trim(uri))] }
    case .storePicture(let uri): storePicture(uri, profile)
    case .createCalendarEvent(let event): createCalendarEvent(event, profile)
    case .initVpaid:
      if needs("vpaid", profile) { effects = [.vpaid("init")] }
    default: break
    }
  }

  /// Opens an address; `sms:` and `tel:` are features: if `supports()` denies one, it is an `error`, not a
  /// clickthrough.
  private mutating func open(_ url: String, gesture: Bool, _ profile: HostProfile) {
    let address = AdLink.trim(url)
    problem = AdLink.destinationProblem(address)
    guard problem == nil else { return }
    if let scheme = AdLink.scheme(of: address), scheme == "sms" || scheme == "tel", !needs(scheme, profile) { return }
    if profile.behaviour.openNeedsGesture, !gesture {
      let reason = "this container opens an address only just after a touch"
      effects = [.ignored(.open(url: url), reason: reason)]
    } else {
      effects = [.open(address, gesture: gesture)]
    }
  }

  private mutating func storePicture(_ uri: String, _ profile: HostProfile) {
    guard needs("storePicture", profile) else { return }
    problem = AdLink.resourceProblem(uri)
    guard problem == nil else { return }
    effects = [.storePicture(AdLink.trim(uri), confirmed: profile.confirms)]
    problem = Self.refusal(profile)
  }

  private mutating func createCalendarEvent(_ event: JSONValue, _ profile: HostProfile) {
    guard needs("calendar", profile) else { return }
    guard let members = event.object, !members.isEmpty else {
      problem = "createCalendarEvent needs an event object"
      return
    }
    problem = CalendarDate.problem(of: members)
    guard problem == nil else { return }
    effects = [.createCalendarEvent(event, confirmed: profile.confirms)]
    problem = Self.refusal(profile)
  }

  /// Returns true if the host has the feature; otherwise records the problem for an `error`.
  private mutating func needs(_ feature: String, _ profile: HostProfile) -> Bool {
    let isSupported = profile.supports.contains(feature)
    if !isSupported { problem = "\(feature) is not supported" }
    return isSupported
  }

  private static func refusal(_ profile: HostProfile) -> String? {
    profile.confirms ? nil : "the user refused"
  }
}

/// Checks of addresses that an ad passes to the host.
package enum AdLink {
  /// Schemes that are code or data but never a destination.
  private static let unusable: Set<String> = ["javascript", "about", "data", "blob", "file", "mraid"]

  /// Returns the reason why `open` can't use an address; nil if it can. The app needs an absolute URL.
  package static func destinationProblem(_ address: String) -> String? {
    let trimmed = trim(address)
    if let problem = textProblem(trimmed) { return problem }
    guard let scheme = scheme(of: trimmed) else { return "\(quoted(trimmed)) isn't an absolute URL" }
    guard !unusable.contains(scheme) else { return "\(scheme): URLs can't be opened" }
    let rest = trimmed.dropFirst(scheme.count + 1)
    guard !rest.isEmpty else { return "\(quoted(trimmed)) names nothing to open" }
    guard scheme == "http" || scheme == "https" else { return nil }
    let host = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    return rest.hasPrefix("//") && !host.isEmpty ? nil : "\(quoted(trimmed)) names no host"
  }

  /// Returns the reason why an image, a video or a second part can't be loaded from an address; nil if it can.
  ///
  /// Relative addresses are valid.
  static func resourceProblem(_ address: String) -> String? {
    let trimmed = trim(address)
    if let problem = textProblem(trimmed) { return problem }
    guard let scheme = scheme(of: trimmed), scheme == "javascript" || scheme == "about" || scheme == "mraid" else {
      return nil
    }
    return "\(scheme): URLs can't be loaded"
  }

  /// Returns the scheme in lower case; nil for a relative address.
  static func scheme(of address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = address[..<colon].lowercased()
    guard let first = scheme.first, first.isASCII, first.isLetter else { return nil }
    let isLegal = scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isLegal ? scheme : nil
  }

  /// Returns the address without surrounding white space, as browsers read it.
  static func trim(_ address: String) -> String {
    let start = address.drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }

  private static func textProblem(_ trimmed: String) -> String? {
    if trimmed.isEmpty { return "a URL is required" }
    let isControlled = trimmed.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return isControlled ? "the URL has control characters" : nil
  }

  private static func quoted(_ address: String) -> String { "\"\(address.prefix(100))\"" }
}

/// Date for `createCalendarEvent`: a day or an instant of ISO 8601, as in the W3C's calendar API.
struct CalendarDate: Hashable, Comparable, Sendable {
  /// Minutes since the year 0; in UTC if a time zone is given.
  private let minutes: Int

  /// Reads a date; nil for any other text, or for one like the 30th of February.
  private init?(_ text: String) {
    let pattern =
      /(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|([+-])(\d{2}):?(\d{2}))?)?/
    guard text.utf8.count <= 40, let match = try? pattern.wholeMatch(in: text) else { return nil }
    let number: (Substring?) -> Int = { $0.flatMap { Int($0) } ?? 0 }
    let (year, month, day) = (number(match.1), number(match.2), number(match.3))
    let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
    let (zoneHour, zoneMinute) = (number(match.8), number(match.9))
    guard (1...12).contains(month), (1...Self.days(in: month, year)).contains(day), hour <= 23, minute <= 59,
      second <= 60, zoneHour <= 14, zoneMinute <= 59
    else { return nil }
    let before = (1..<month).reduce(0) { $0 + Self.days(in: $1, year) }
    let leaps = year > 0 ? (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1 : 0
    let zone = (zoneHour * 60 + zoneMinute) * (match.7 == "-" ? -1 : 1)
    minutes = (year * 365 + leaps + before + day - 1) * 1_440 + hour * 60 + minute - zone
  }

  static func < (one: CalendarDate, other: CalendarDate) -> Bool { one.minutes < other.minutes }

  private static func days(in month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Returns the reason why a calendar can't accept an event's dates; nil if it can.
  static func problem(of event: [String: JSONValue]) -> String? {
    for name in ["start", "end"] {
      if let problem = problem(of: event[name], name) { return problem }
    }
    if let start = event["start"]?.string.flatMap(CalendarDate.init),
      let end = event["end"]?.string.flatMap(CalendarDate.init), end < start
    {
      return "end is before start"
    }
    let recurrence = event["recurrence"]
    if let problem = problem(of: recurrence?["expires"], "recurrence.expires") { return problem }
    for exception in recurrence?["exceptionDates"]?.array ?? [] {
      if let problem = problem(of: exception, "recurrence.exceptionDates") { return problem }
    }
    return nil
  }

  /// Returns the reason why a value is no date; nil if it is one, or if it is missing.
  private static func problem(of value: JSONValue?, _ name: String) -> String? {
    guard let value, value != .null else { return nil }
    if let text = value.string, CalendarDate(text) != nil { return nil }
    return "\(name) isn't a date: \(String((value.string ?? value.text).prefix(60)))"
  }
}
