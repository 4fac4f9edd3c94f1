/// What the ad's web process had used of the processor by an instant.
package struct ProcessorSample: Hashable, Sendable, Codable {
  /// Milliseconds since the load began.
  package var t: Double
  /// Seconds of user and system time since the load began; the start of the process isn't in it.
  package var seconds: Double

  package init(t: Double, seconds: Double) {
    self.t = t
    self.seconds = seconds
  }
}

extension [ProcessorSample] {
  /// The most used within any `window` of milliseconds, and where that begins; samples are in order, from (0, 0).
  package func busiest(within window: Double) -> (seconds: Double, from: Double) {
    var best = (seconds: 0.0, from: 0.0)
    var last = 0
    for first in indices {
      last = Swift.max(last, first)
      while last + 1 < count, self[last + 1].t - self[first].t <= window { last += 1 }
      let used = self[last].seconds - self[first].seconds
      if used > best.seconds { best = (used, self[first].t) }
    }
    return best
  }
}
