internal import Core

/// A date as `createCalendarEvent` takes it: a day, or an instant of ISO 8601, as the W3C's calendar has it.
struct CalendarDate: Hashable, Comparable, Sendable {
  /// Minutes since the year 0, in UTC where a zone is given.
  private let minutes: Int

  /// Nil for what is no date, such as a 30th of February.
  init?(_ text: String) {
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

  /// Why a calendar can't take an event's dates; nil when it can.
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

  /// What isn't given is no problem.
  private static func problem(of value: JSONValue?, _ name: String) -> String? {
    guard let value, value != .null else { return nil }
    if let text = value.string, CalendarDate(text) != nil { return nil }
    return "\(name) is no date: \(String((value.string ?? value.text).prefix(60)))"
  }
}
