/// How much is left of what Chrome lets an ad use before anybody touches it (chromestatus.com 4800491902992384).
///
/// Chrome counts the main thread of the ad's frames. Here it is the whole web process, Galley's own pictures included,
/// so the true headroom is never smaller.
package struct HeavyAdBudget: Hashable, Sendable, Codable {
  /// Something used against what may be.
  package struct Share: Hashable, Sendable, Codable {
    package var used: Double
    package var limit: Double
    /// What is left in percent of the limit; negative above it.
    package var remaining: Double

    package init(used: Double, limit: Double) {
      self.used = used
      self.limit = limit
      remaining = ((1 - used / limit) * 1_000).rounded() / 10
    }
  }
  /// The limits.
  package enum Chrome {
    package static let bytes = 4.0 * 1_024 * 1_024
    package static let seconds = 60.0
    package static let windowSeconds = 15.0
    /// Milliseconds
    package static let window = 30_000.0
  }

  /// Bytes asked for, files of the creative compressed where servers do.
  package var network: Share
  /// Seconds of processor time in all.
  package var processor: Share
  /// The same in the busiest 30 s.
  package var peakWindow: Share
  /// Milliseconds after the load began where those 30 s begin.
  package var peakWindowStart: Double
  /// Milliseconds that were measured: to the first touch, or to the end.
  package var measured: Double
  /// When somebody first touched the ad; nil when nobody did.
  package var activation: Double?
  /// The course of it, activation or not.
  package var samples: [ProcessorSample]

  /// `end` is when the measuring ended; what came after `activation` doesn't count.
  package init(resources: [MeasuredResource], samples: [ProcessorSample], activation: Double?, end: Double) {
    let until = activation ?? end
    let counted = samples.filter { $0.t <= until }
    let peak = counted.busiest(within: Chrome.window)
    network = Share(
      used: Double(LoadWeight(resources.filter { $0.start <= until }).compressed), limit: Chrome.bytes)
    processor = Share(used: (counted.last?.seconds ?? 0).hundredths, limit: Chrome.seconds)
    peakWindow = Share(used: peak.seconds.hundredths, limit: Chrome.windowSeconds)
    peakWindowStart = peak.from
    measured = until
    self.activation = activation
    self.samples = samples
  }
}

extension Double {
  /// As precise as the kernel's clock ticks.
  fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}

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
