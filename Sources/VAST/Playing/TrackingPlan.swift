/// Who is told of what while an ad plays.
package struct TrackingPlan: Hashable, Sendable {
  package let ad: ResolvedAd
  /// Seconds of the film, to which shares refer.
  package let duration: Double

  package init(ad: ResolvedAd, duration: Double) {
    self.ad = ad
    self.duration = duration
  }

  /// Moments that somebody wants to hear of, in seconds.
  package var progress: [Double] {
    tracking.filter { $0.event == "progress" }.compactMap { $0.offset?.seconds(of: duration) }
  }

  /// Addresses for an event, with their macros, in the order they are asked: the ad's own first, then its wrappers'.
  package func beacons(_ event: PlaybackEvent) -> [String] {
    switch event {
    case .impression: return ad.impressions
    case .progress(let second):
      return tracking.filter { $0.event == "progress" && $0.offset?.seconds(of: duration) == second }.map(\.url)
    default: return tracking.filter { event.words.contains($0.event) }.map(\.url)
    }
  }

  private var tracking: [VASTTracking] { ad.linear?.tracking ?? [] }
}
