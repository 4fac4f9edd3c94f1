internal import Core
internal import RenderModel

/// What happened on this person's device so far, as far as feeds go by it: simulated, and a value.
package struct FeedHistory: Hashable, Sendable {
  /// Days since the app was installed.
  package private(set) var day: Double
  /// Times the app was started, this one included.
  package private(set) var launches: Int
  /// The app's.
  package private(set) var version: String
  /// Whether the person registered for what the notification offers.
  package private(set) var isRegistered: Bool
  /// How the notification was last met; nil if never.
  package private(set) var encounter: NotificationRecord?

  /// The first start on the day of the installation, unless said otherwise.
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

  /// The app is started anew.
  package mutating func launch() { launches += 1 }

  /// Days pass.
  package mutating func advance(days: Double) { day += days }

  /// The app is replaced by this version.
  package mutating func update(to version: String) { self.version = version }

  /// The person registers, by whatever way the app has, or goes back on it.
  package mutating func register(_ isRegistered: Bool = true) { self.isRegistered = isRegistered }

  /// The notification came up, which starts its days and launches anew unless it did in this launch before.
  package mutating func meetNotification() {
    if encounter?.launch != launches { recordOutcome(.ignored) }
  }

  /// The person closed it.
  package mutating func dismissNotification() { recordOutcome(.dismissed) }

  /// The person took it up, and went through with it or not.
  package mutating func followNotification(registers: Bool) {
    recordOutcome(.followed)
    if registers { isRegistered = true }
  }

  private mutating func recordOutcome(_ outcome: NotificationRecord.Outcome) {
    encounter = NotificationRecord(outcome, launch: launches, day: day, version: version)
  }
}

/// How a notification was met, and when.
package struct NotificationRecord: Hashable, Sendable {
  /// What the person did.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Scrolled past it.
    case ignored
    /// Closed it.
    case dismissed
    /// Took it up, without having registered.
    case followed
  }

  package var outcome: Outcome
  /// The how-manieth start of the app it was.
  package var launch: Int
  /// Days since the installation.
  package var day: Double
  /// The app's version then.
  package var version: String

  package init(_ outcome: Outcome, launch: Int, day: Double, version: String) {
    self.outcome = outcome
    self.launch = launch
    self.day = day
    self.version = version
  }
}

/// Reads what happened before the feed is looked at.
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
