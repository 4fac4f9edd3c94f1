/// Resources that are left of Chrome's limits for an ad without user activation (chromestatus.com 4800491902992384).
///
/// Chrome counts the main thread of the ad's frames. Galley counts the whole web process, including the work for its
/// own screenshots, so the true headroom is never smaller.
package struct HeavyAdBudget: Hashable, Sendable, Codable {
  /// Consumption of a resource compared with its limit.
  package struct Share: Hashable, Sendable, Codable {
    package var used: Double
    package var limit: Double
    /// Remaining part in percent of the limit; negative above the limit.
    package var remaining: Double

    package init(used: Double, limit: Double) {
      self.used = used
      self.limit = limit
      remaining = ((1 - used / limit) * 1_000).rounded() / 10
    }
  }
  /// Chrome's limits.
  package enum Chrome {
    package static let bytes = 4.0 * 1_024 * 1_024
    package static let seconds = 60.0
    package static let windowSeconds = 15.0
    /// Length of the window, in milliseconds.
    package static let window = 30_000.0
  }

  /// Bytes of the requested resources; files of the creative count compressed if servers compress them.
  package var network: Share
  /// Total processor time in seconds.
  package var processor: Share
  /// Processor time in the busiest 30 s, in seconds.
  package var peakWindow: Share
  /// Start of those 30 s, in milliseconds since the load began.
  package var peakWindowStart: Double
  /// Length of the measurement in milliseconds: to the first touch, or to the end.
  package var measured: Double
  /// Time of the first touch of the ad, in milliseconds since the load began; nil if there was none.
  package var activation: Double?
  /// All samples, including those after the activation.
  package var samples: [ProcessorSample]

  /// `end` is the end of the measurement; samples and requests after `activation` don't count.
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
  /// The value rounded to hundredths, the precision of the kernel's clock ticks.
  fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}

/// Processor time that the ad's web process had used by an instant.
package struct ProcessorSample: Hashable, Sendable, Codable {
  /// Milliseconds since the load began.
  package var t: Double
  /// Seconds of user and system time since the load began; the start of the process isn't included.
  package var seconds: Double

  package init(t: Double, seconds: Double) {
    self.t = t
    self.seconds = seconds
  }
}

extension [ProcessorSample] {
  /// The largest use within any `window` of milliseconds, and its start; samples are in order, from (0, 0).
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
