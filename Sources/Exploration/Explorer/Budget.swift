/// How much an exploration may cost.
package struct Budget: Hashable, Sendable {
  /// Things tried, each from a fresh load.
  package var actions: Int
  /// Seconds of rendering; a guard, since what it cuts depends on the machine.
  package var seconds: Double

  package init(actions: Int = 60, seconds: Double = 120) {
    self.actions = actions
    self.seconds = seconds
  }
}
