/// Which of a creative's two documents speaks or is spoken to.
package enum AdPart: String, Sendable, Codable, CaseIterable {
  /// The creative as it was loaded.
  case one
  /// The page that `expand(url)` loads.
  case two
}

/// Everything that can happen to a session: what the page asks, and what the host does.
package enum MRAIDInput: Sendable, Hashable {
  /// A bridge call; `gesture` says whether the person had just touched the ad.
  case command(MRAIDCommand, from: AdPart, gesture: Bool)
  /// The part's document and its subresources are loaded: time for `ready`.
  case loaded(AdPart)
  /// The transition asked for by `.present` stands on screen; geometry and exposure are what it led to.
  case presented(HostGeometry, Exposure, at: Double? = nil)
  /// The transition asked for by `.present` can't be shown.
  case presentationFailed(String)
  /// The person used the host's own close control.
  case hostClose
  /// Rotation, scroll or any other change of the screen that the ad didn't ask for.
  case geometryChanged(HostGeometry, Exposure, at: Double? = nil)
  /// Only what is visible changed; `at` in ms since the load began.
  case exposureChanged(Exposure, at: Double)
  /// The delay that `.scheduleExposure` asked for is over.
  case exposureDue(at: Double)
  /// 0–100, 0 when playback isn't allowed, nil when unknown.
  case volumeChanged(Double?)
}
