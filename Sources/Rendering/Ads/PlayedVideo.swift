internal import AdManager
internal import AdResponses
internal import WebKitRuntime

/// A film of the ad while it is shown: its player's page, and what is told to it.
@WebKitActor final class PlayedVideo {
  let ad: ResolvedAd
  let media: VASTMediaFile
  let view: AdViewID
  /// Where the player loads it from.
  let source: CreativeAddress
  /// Whether something came from there.
  var isFound = false
  /// Seconds that it really has, or why it can't be played; nil until the player says.
  var readiness: Result<Double, VASTProblem>?
  /// Where the page of the interactive creative above it is, if there is one that may be loaded.
  let interactive: CreativeAddress?
  /// Nil until all of the ad is there.
  var creative: VideoCreative?
  /// What a player without a film has instead: an overlay above a programme.
  var overlay: OverlayCreative?
  /// The end card after it, where others follow and there is one.
  var card: CompanionCreative?
  /// The break of a programme that begins with it, and the one that ends after it.
  var opens: VMAPBreak?
  var closes: VMAPBreak?
  /// The break of a programme that it is in.
  var adBreak: VMAPBreak?
  /// Nil unless the app measures.
  var omid: OMIDController?
  /// How often it was put back to a moment that had been told; what it told of itself before counts no more.
  private(set) var turn = 0
  /// What it told of its end while it was to stand still.
  var endUnheard: [PlayerReport] = []
  /// Whether it is to play; what the player was told last may still be on its way.
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

  /// How many seconds ago a moment may have been told that it stands still at.
  private static let recently = 0.6

  /// Seconds of the moment that was told last, where that was just now: what it stands still at.
  var momentToShow: Double? {
    guard let playback = creative?.playback, !playback.isOver, let moment = playback.lastMoment else { return nil }
    return playback.time - moment <= Self.recently ? moment : nil
  }

  /// It is put back to a moment that was told.
  func seekBack() {
    turn += 1
    endUnheard = []
  }

  /// Whether nothing of it is to come any more, without a person at least.
  var isAtRest: Bool { overlay?.isAtRest ?? creative?.isAtRest ?? true }

  /// Whether its interactive creative stands still until somebody touches it.
  var isAwaitingPerson: Bool { creative?.interactive.isAwaitingPerson == true || overlay?.isAwaitingPerson == true }

  /// Whether somebody is there to hear what its player tells.
  var isLoaded: Bool { creative != nil || overlay != nil }

  /// Hands a report on; false where the rest of it has to wait.
  func handle(_ report: PlayerReport) -> Bool {
    if let creative { return creative.handle(report) }
    overlay?.handle(report)
    return true
  }

  /// Seconds, once it is ready.
  var duration: Double? { if case .success(let duration)? = readiness { duration } else { nil } }
}
