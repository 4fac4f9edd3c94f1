internal import Core

/// So many requests a minute, in bursts of no more than that.
package struct TokenBucket: Hashable, Sendable {
  private let perMinute: Int
  private var level: Double
  private var instant: Int64

  package init(perMinute: Int, at instant: Int64) {
    (self.perMinute, level, self.instant) = (perMinute, Double(perMinute), instant)
  }

  /// Takes one out; nil when it could, else the whole seconds until it can.
  package mutating func take(at now: Int64) -> Int? {
    let perMillisecond = Double(perMinute) / 60_000
    level = min(Double(perMinute), level + Double(max(0, now - instant)) * perMillisecond)
    instant = max(instant, now)
    guard level < 1 else {
      level -= 1
      return nil
    }
    return Bounded.int((1 - level) / perMillisecond / 1000, in: 1...86_400, rounding: .up)
  }
}
