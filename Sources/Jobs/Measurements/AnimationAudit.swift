/// What the document's own timeline runs: CSS animations, transitions and scripted ones.
package struct AnimationAudit: Hashable, Sendable, Codable {
  /// How many run.
  package var running: Int
  /// How many of them have no end.
  package var endless: Int
  /// Milliseconds after the document began at which the last that ends will have ended; 0 for none.
  package var end: Double
  /// How often the one plays that plays most often and ends; nil when none does.
  package var loops: Double?
  /// Names of those without an end: `spin on div#sun`.
  package var names: [String]

  package init(running: Int = 0, endless: Int = 0, end: Double = 0, loops: Double? = nil, names: [String] = []) {
    self.running = running
    self.endless = endless
    self.end = end
    self.loops = loops
    self.names = names
  }
}
