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
  package private(set) var encounter: Encounter?

  /// The first start on the day of the installation, unless said otherwise.
  package init(
    day: Double = 0, launches: Int = 1, version: String = "1.0", isRegistered: Bool = false,
    encounter: Encounter? = nil
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
    if encounter?.launch != launches { note(.ignored) }
  }

  /// The person closed it.
  package mutating func dismissNotification() { note(.dismissed) }

  /// The person took it up, and went through with it or not.
  package mutating func followNotification(registers: Bool) {
    note(.followed)
    if registers { isRegistered = true }
  }

  private mutating func note(_ outcome: Encounter.Outcome) {
    encounter = Encounter(outcome, launch: launches, day: day, version: version)
  }
}
