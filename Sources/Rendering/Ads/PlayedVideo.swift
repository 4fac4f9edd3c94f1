internal import AdManager
internal import AdResponses
internal import Device
internal import Engine
internal import Hosting
internal import WebKitRuntime

/// Video of the ad while it is shown: its player's page, and the state of its playback.
@EngineActor final class PlayedVideo {
  let ad: ResolvedAd
  let media: VASTMediaFile
  let view: AdViewID
  /// Address that the player loads it from.
  let source: CreativeAddress
  /// Indicates that the address answered with a success status.
  var isFound = false
  /// Actual duration in seconds, or the reason why it can't be played; nil until the player reports either.
  var readiness: Result<Double, VASTProblem>?
  /// Address of the page of the interactive creative above it; nil if there is none that may be loaded.
  let interactive: CreativeAddress?
  /// Creative of the video; nil until the whole ad has loaded.
  var creative: VideoCreative?
  /// Creative of a player without a video: an overlay above a programme.
  var overlay: OverlayCreative?
  /// End card after the video, if there is one and other videos follow.
  var card: CompanionCreative?
  /// Break of a programme that begins with this video, and break that ends after it.
  var opens: VMAPBreak?
  var closes: VMAPBreak?
  /// Break of a programme that contains the video.
  var adBreak: VMAPBreak?
  /// Open Measurement of the video; nil unless the app measures it.
  var omid: OMIDController?
  /// Number of times that it was set back to a reported position; progress reports of earlier turns don't count.
  private(set) var turn = 0
  /// Reports of its end that came while it was held.
  var endUnheard: [PlayerReport] = []
  /// Indicates that it is to play; the last command to the player may still be on its way.
  var isWanted = false

  init(
    ad: ResolvedAd, media: VASTMediaFile, view: AdViewID, source: CreativeAddress, interactive: CreativeAddress? = nil
  ) {
    self.interactive = interactive
    self.ad = ad
    self.media = media
    self.view = view
    self.source = source
  }

  /// Maximum age in seconds of a reported position at which the video is held.
  private static let recently = 0.6

  /// Last reported position in seconds, at which the video is held if it was reported just now; nil otherwise.
  var momentToShow: Double? {
    guard let playback = creative?.playback, !playback.isOver, let moment = playback.lastMoment else { return nil }
    return playback.time - moment <= Self.recently ? moment : nil
  }

  /// Begins a new turn, as the video is set back to a reported position.
  func seekBack() {
    turn += 1
    endUnheard = []
  }

  /// Indicates that nothing more will happen in it, at least not without a user.
  var isAtRest: Bool { overlay?.isAtRest ?? creative?.isAtRest ?? true }

  /// Indicates that its interactive creative waits for a user's tap.
  var isAwaitingPerson: Bool { creative?.interactive.isAwaitingPerson == true || overlay?.isAwaitingPerson == true }

  /// Indicates that a creative exists that handles the player's reports.
  var isLoaded: Bool { creative != nil || overlay != nil }

  /// Passes on a report; false if the rest of it has to wait.
  func handle(_ report: PlayerReport) -> Bool {
    if let creative { return creative.handle(report) }
    overlay?.handle(report)
    return true
  }

  /// Duration in seconds; nil until the video is ready.
  var duration: Double? { if case .success(let duration)? = readiness { duration } else { nil } }
}
