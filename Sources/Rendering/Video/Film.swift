internal import AdExperience
internal import VAST
internal import WebKitRuntime

/// A film of the ad while it is shown: its player's page, and what is told to it.
@WebKitActor final class Film {
  let ad: ResolvedAd
  let media: VASTMediaFile
  let view: AdViewID
  /// Where the player loads it from.
  let source: String
  /// Whether something came from there.
  var isFound = false
  /// Seconds that it really has, or why it can't be played; nil until the player says.
  var readiness: Result<Double, VASTProblem>?
  /// Nil until all of the ad is there.
  var creative: VideoCreative?
  /// Whether it is to play; what the player was told last may still be on its way.
  var isWanted = false

  init(ad: ResolvedAd, media: VASTMediaFile, view: AdViewID, source: String) {
    self.ad = ad
    self.media = media
    self.view = view
    self.source = source
  }

  /// Seconds, once it is ready.
  var duration: Double? { if case .success(let duration)? = readiness { duration } else { nil } }
}
