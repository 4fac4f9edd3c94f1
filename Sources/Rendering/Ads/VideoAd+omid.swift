internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import OMID
internal import RenderModel
internal import WebKitRuntime

extension VideoAd {
  /// Creates the Open Measurement session of a video, with a page in which its measuring code runs.
  func measure(_ film: PlayedVideo, place: Int, of count: Int) async {
    let ad = film.ad
    let vast = OMIDVastProperties(
      skipOffset: ad.linear?.skipOffset?.seconds(of: film.duration), position: film.adBreak?.position ?? .standalone)
    var facts = context.omidFacts(.film, identity: film.view.rawValue)
    (facts.vast, facts.adServingID, facts.podSequence, facts.adCount) = (
      vast, ad.inLine.adServingID, ad.sequence, count
    )
    let omid = OMIDController(
      context, facts, place: count > 1 ? place : nil, view: { film.view },
      isGone: { [weak self, weak film] in self?.isGone(film) ?? true })
    film.omid = omid
    let measuring = MeasuringPage(pages: pages, tracker: tracker, owner: self, view: film.view)
    measuringPages[measuring.id] = omid
    await measuring.run(film.ad.verifications, for: omid) { [tracker] in tracker.address($0, of: film.ad) }
  }

  private func isGone(_ film: PlayedVideo?) -> Bool {
    guard let film, let creative = film.creative else { return film == nil }
    return creative.isGone || (creative.playback.isOver && context.render.stage.screen.layer(showing: film.view) == nil)
  }

  /// Reports an event of a video to its session as well.
  func measure(_ event: TrackedEvent, _ view: AdViewID) {
    guard let film = playedVideos[view], let omid = film.omid else { return }
    if event.isNamed(.error) { omid.fail(event.detail["message"]?.string ?? "the video failed") }
    let isMuted = film.creative?.playback.isMuted ?? true
    let media = OMIDMediaEvent.events(
      of: event, duration: film.duration ?? 0, isMuted: isMuted, isFullScreen: context.isInterstitial)
    for one in media { omid.heard(one) }
  }
}

extension VMAPBreak {
  /// Position of the break's ads in the programme, as reported to measuring code.
  fileprivate var position: OMIDVastProperties.Position {
    switch offset {
    case .start: .preroll
    case .end: .postroll
    case .at, .position: .midroll
    }
  }
}
