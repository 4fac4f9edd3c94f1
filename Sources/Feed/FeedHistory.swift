internal import Core
internal import RenderModel

/// History of the user's device, as far as feeds depend on it: simulated, and a value.
package struct FeedHistory: Hashable, Sendable {
  /// Days since the app was installed.
  package private(set) var day: Double
  /// Number of launches of the app, this one included.
  package private(set) var launches: Int
  /// Version of the app.
  package private(set) var version: String
  /// Indicates that the user registered for the offer in the notification.
  package private(set) var isRegistered: Bool
  /// Latest encounter with the notification; nil if there was none.
  package private(set) var encounter: NotificationRecord?

  /// Creates a first launch on the day of the installation, unless given otherwise.
  package init(
    day: Double = 0, launches: Int = 1, version: String = "1.0", isRegistered: Bool = false,
    encounter: NotificationRecord? = nil
  ) {
    self.day = day
    self.launches = launches
    self.version = version
    self.isRegistered = isRegistered
    self.encounter = encounter
  }

  /// Counts a new launch of the app.
  package mutating func launch() { launches += 1 }

  /// Lets days pass.
  package mutating func advance(days: Double) { day += days }

  /// Updates the app to this version.
  package mutating func update(to version: String) { self.version = version }

  /// Registers the user, by any way that the app has, or cancels the registration.
  package mutating func register(_ isRegistered: Bool = true) { self.isRegistered = isRegistered }

  /// Notes that the notification was shown, from which its days and launches count, once per launch.
  package mutating func meetNotification() {
    if encounter?.launch != launches { recordOutcome(.ignored) }
  }

  /// Notes that the user closed the notification.
  package mutating func dismissNotification() { recordOutcome(.dismissed) }

  /// Notes that the user followed the notification, and either completed the registration or didn't.
  package mutating func followNotification(registers: Bool) {
    recordOutcome(.followed)
    if registers { isRegistered = true }
  }

  private mutating func recordOutcome(_ outcome: NotificationRecord.Outcome) {
    encounter = NotificationRecord(outcome, launch: launches, day: day, version: version)
  }
}

/// Encounter with a notification, and its time.
package struct NotificationRecord: Hashable, Sendable {
  /// Action of the user.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Scrolled past it.
    case ignored
    /// Closed it.
    case dismissed
    /// Followed it without having registered.
    case followed
  }

  package var outcome: Outcome
  /// Number of the launch in which it happened.
  package var launch: Int
  /// Days from the installation to the encounter.
  package var day: Double
  /// Version of the app at the time.
  package var version: String

  package init(_ outcome: Outcome, launch: Int, day: Double, version: String) {
    self.outcome = outcome
    self.launch = launch
    self.day = day
    self.version = version
  }
}

/// Reads the user's history before the feed is opened.
enum HistoryReader {
  static func history(_ node: YAMLNode) throws(Fault) -> FeedHistory {
    let members = try node.members(
      of: "history", allowed: ["day", "launches", "version", "registered", "notification"])
    let launches = try members["launches"]?.wholeNumber("launches", in: 1...100_000) ?? 1
    let day = try members["day"]?.number("day", in: 0...100_000) ?? 0
    let version = try members["version"]?.word("version") ?? "1.0"
    let met = try members["notification"].map { node throws(Fault) in
      try encounter(node, launches: launches, day: day, version: version)
    }
    return FeedHistory(
      day: day, launches: launches, version: version,
      isRegistered: try members["registered"]?.bool("registered") ?? false, encounter: met)
  }

  private static func encounter(
    _ node: YAMLNode, launches: Int, day: Double, version: String
  ) throws(Fault) -> NotificationRecord {
    let members = try node.members(of: "notification", allowed: ["outcome", "launch", "day", "version"])
    guard let outcome = members["outcome"] else { throw node.fault("notification needs an outcome: dismissed") }
    let launch = try members["launch"]?.wholeNumber("launch", in: 1...launches) ?? launches
    return NotificationRecord(
      try outcome.choice(NotificationRecord.Outcome.self, "outcome"), launch: launch,
      day: try members["day"]?.number("day", in: 0...day) ?? day,
      version: try members["version"]?.word("version") ?? version)
  }
}
