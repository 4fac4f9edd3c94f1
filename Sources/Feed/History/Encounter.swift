/// How a notification was met, and when.
package struct Encounter: Hashable, Sendable {
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
