internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// Videos of an ad with the cards between them: their players' pages, and the messages from and to them.
@EngineActor final class VideoAd {
  let context: AdContext
  let pages: PageFactory
  let tracker: AdTracker
  /// Videos by their players' views.
  private(set) var playedVideos: [AdViewID: PlayedVideo] = [:]
  /// End cards between the videos of a pod, by their views.
  private var cards: [AdViewID: CompanionCreative] = [:]
  /// Controllers of pages in which videos' measuring code runs, by their views.
  var measuringPages: [AdViewID: OMIDController] = [:]

  init(pages: PageFactory, tracker: AdTracker) {
    self.pages = pages
    self.tracker = tracker
    context = pages.context
  }

  var render: RenderContext { context.render }

  /// All its views, always in the same order.
  var views: [AdViewID] {
    (Array(playedVideos.keys) + Array(cards.keys) + Array(measuringPages.keys)).sorted { $0.rawValue < $1.rawValue }
  }

  /// Indicates that all videos have been played or skipped, or that one waits for a user.
  var isOver: Bool {
    playedVideos.values.allSatisfy(\.isAtRest) || playedVideos.values.contains(where: \.isAwaitingPerson)
  }

  /// Description of the number of videos that are over.
  var progress: String {
    let over = playedVideos.values.count(where: \.isAtRest)
    return "\(over) of its \(playedVideos.count) videos had ended"
  }

  /// End card that a view shows; nil for none.
  func card(in view: AdViewID) -> CompanionCreative? { cards[view] }

  /// Time for a video to show its first frame, and time that includes the start of an interactive creative above it.
  private static let patience = Duration.seconds(10)
  private static let patienceWithInteractive = Duration.seconds(21)

  /// Creates the player of an ad's video and waits for its first frame; throws the reason why it can't be played.
  func loadVideo(_ ad: ResolvedAd, number: Int) async throws(VASTProblem) -> PlayedVideo {
    guard let linear = ad.linear else { throw VASTProblem(.unexpectedLinearity, "the ad has no video to play") }
    let scale = Double(render.job.device.renderScale)
    let media = try MediaChoice.choose(
      of: linear, width: context.placement.width * scale, height: context.placement.height * scale)
    let first = context.views.player
    let view = number == 1 ? first : AdViewID(rawValue: "\(first.rawValue)-\(number)")
    let source = try source(of: media, ad)
    let interactive = InteractiveChoice.file(of: linear).flatMap { interactiveAddress(of: $0.url, ad) }
    let film = PlayedVideo(ad: ad, media: media, view: view, source: source, interactive: interactive)
    playedVideos[view] = film
    let player = PlayerPage(
      film: linear, source: film.source, isInterstitial: context.isInterstitial, isMuted: !context.isInterstitial,
      interactive: interactive.map { InteractivePage(of: ad, linear, media: media, at: $0) }
    ) { [context, tracker] icon in
      try? context.judge(whole: tracker.address(icon, of: ad), for: .icon)
    }
    let page = load(player, into: view)
    let recorder = render.recorder
    let patience = interactive == nil ? Self.patience : Self.patienceWithInteractive
    _ = await recorder.wait(patience) { [weak render] in film.readiness != nil || render?.failure != nil }
    switch film.readiness {
    case .success?: return film
    case .failure(let problem)?:
      // Of its requests is heard by another way than of its failure.
      _ = await recorder.wait(.milliseconds(500)) { page.resourcesHaveEnded }
      let isThere = film.isFound || film.source.url.hasPrefix("data:")
      guard isThere, problem.code == .mediaNotFound else { throw problem }
      throw VASTProblem(.mediaDisplay, "\(media.url) was loaded, but isn't a playable video")
    case nil:
      throw VASTProblem(.mediaTimeout, "\(media.url) showed no frame within \(patience.components.seconds) s")
    }
  }

  private func load(_ player: PlayerPage, into view: AdViewID) -> AdPage {
    let address = context.host(player.html(channel: context.scripts.channel), as: view.rawValue)
    context.serve()
    let page = pages.make(view, .ads, owner: self)
    page.view.load(address)
    return page
  }

  /// Address of an interactive creative's page; nil if it may not be loaded, and then the video is played alone.
  private func interactiveAddress(of url: String, _ ad: ResolvedAd) -> CreativeAddress? {
    do throws(AddressRefusal) {
      return try context.judge(whole: tracker.address(url, of: ad), for: .interactive)
    } catch {
      tracker.track(VASTProblem(.interactiveCreativeFile, "\(url): \(error)", beacons: ad.errors))
      return nil
    }
  }

  /// Creates the player of an overlay that runs above a programme, and waits until it may be shown.
  func loadOverlay(_ overlay: VASTNonLinear, at url: String, of ad: ResolvedAd) async throws(VASTProblem)
    -> OverlayCreative
  {
    let address: CreativeAddress
    do throws(AddressRefusal) {
      address = try context.judge(whole: tracker.address(url, of: ad), for: .interactive)
    } catch {
      throw VASTProblem(.nonLinearFetch, "the overlay \(url): \(error)", beacons: ad.errors)
    }
    let view = context.views.player
    let media = VASTMediaFile(url: url, type: "text/html", width: 0, height: 0, apiFramework: "SIMID")
    let film = PlayedVideo(ad: ad, media: media, view: view, source: address, interactive: address)
    playedVideos[view] = film
    let player = PlayerPage(
      film: VASTLinear(), source: address, isInterstitial: context.isInterstitial,
      isMuted: !context.isInterstitial, interactive: InteractivePage(of: ad, overlay, at: address)
    ) { _ in nil }
    _ = load(player, into: view)
    _ = await render.recorder.wait(Self.patienceWithInteractive) { [weak render] in
      film.readiness != nil || render?.failure != nil
    }
    switch film.readiness {
    case .success?: break
    // What it was has been told.
    case .failure(let problem)?: throw VASTProblem(.interactiveCreativeFile, problem.message)
    case nil: throw VASTProblem(.nonLinearFetch, "\(url) didn't load in time", beacons: ad.errors)
    }
    let creative = OverlayCreative(
      ad: ad, overlay: overlay, isInterstitial: context.isInterstitial, displayView: view, host: self)
    film.overlay = creative
    return creative
  }

  /// Address of a video; throws if it may not be loaded.
  private func source(of media: VASTMediaFile, _ ad: ResolvedAd) throws(VASTProblem) -> CreativeAddress {
    do throws(AddressRefusal) {
      return try context.judge(whole: tracker.address(media.url, of: ad), for: .media)
    } catch {
      throw VASTProblem(.mediaNotFound, "\(media.url): \(error)")
    }
  }

  /// Loads the end card of a video that others follow, only for an interstitial: in a slot, a user couldn't close it.
  func loadCard(of film: PlayedVideo, place: Int, _ maker: EndCardMaker) async {
    guard context.isInterstitial,
      let card = EndCard(of: film.ad, width: context.placement.width, height: context.placement.height),
      let page = await maker.load(card, of: film.ad, place: place)
    else { return }
    let creative = CompanionCreative(card: card, place: place, displayView: page.id, host: self)
    cards[page.id] = creative
    film.card = creative
  }

  /// Creates the creatives of the videos, each followed by its end card if it has one.
  ///
  /// - Parameter isLast: indicates that nothing follows them.
  func makeCreatives(of playedVideos: [PlayedVideo], isLast: Bool) -> [any Creative] {
    playedVideos.enumerated().flatMap { (place, film) -> [any Creative] in
      var settings = VideoSettings(
        isInterstitial: context.isInterstitial, isMuted: !context.isInterstitial,
        isLast: isLast && place == playedVideos.count - 1,
        media: VideoMedia(url: film.media.url, type: film.media.type), place: place + 1, count: playedVideos.count)
      (settings.opens, settings.closes) = (film.opens, film.closes)
      settings.isInteractive = film.interactive != nil
      let creative = VideoCreative(
        plan: TrackingPlan(ad: film.ad, duration: film.duration ?? 0), settings: settings, displayView: film.view,
        host: self)
      film.creative = creative
      return [creative] + (film.card.map { [$0] } ?? [])
    }
  }
}

extension VideoAd: @EngineActor VideoHost {
  /// Starts the video, after a screenshot that is about to be taken, so that the first screenshot shows its first
  /// frame.
  func play(_ view: AdViewID) {
    playedVideos[view]?.isWanted = true
    playedVideos[view]?.omid?.begin()
    render.turns.pass { [weak self] in
      guard let self, playedVideos[view]?.isWanted == true else { return }
      sendPlayerCommand(view, "play()")
    }
  }

  func pause(_ view: AdViewID) {
    playedVideos[view]?.isWanted = false
    sendPlayerCommand(view, "pause()")
  }

  func setMuted(_ isMuted: Bool, _ view: AdViewID) { sendPlayerCommand(view, "mute(\(isMuted))") }

  func setFullScreen(_ isFullScreen: Bool, _ view: AdViewID) { sendPlayerCommand(view, "fullScreen(\(isFullScreen))") }

  func endInteractive(_ view: AdViewID, code: InteractiveStop) { sendPlayerCommand(view, "end(\(code.rawValue))") }

  func hasStalled(_ view: AdViewID) -> Bool { render.playedVideos.areHeld || render.turns.areHeld }

  func track(_ event: TrackedEvent, _ view: AdViewID) {
    tracker.track(event)
    measure(event, view)
  }

  /// Sends a command to the player in a view, if it exists.
  func sendPlayerCommand(_ view: AdViewID, _ call: String) { render.stage.pages[view]?.sendPlayerCommand(call) }
}

extension VideoAd {
  /// Reports to interactive creatives that the app went to the background or came back.
  func setForeground(_ isForeground: Bool) {
    for film in playedVideos.values where film.interactive != nil {
      sendPlayerCommand(film.view, "foreground(\(isForeground))")
    }
  }

  /// Handles a navigation in a player's page that didn't go through the player.
  func leaves(to url: String, from view: AdViewID) {
    guard let film = playedVideos[view], film.interactive != nil else { return }
    if let overlay = film.overlay { overlay.openedByItself(url) } else { film.creative?.openedByItself(url) }
  }

  /// Indicates that the ad has videos that can be held for a screenshot.
  var hasVideos: Bool { !playedVideos.isEmpty || render.browser.playsVideo(of: context) }

  /// Holds its videos, at the last reported position if it was reported just now; returns once they stand still.
  func hold() async {
    await sendToEachPlayer { film in
      guard let film else { return "hold('nearest')" }
      guard let moment = film.momentToShow else { return "hold(null)" }
      film.seekBack()
      return "hold(\(moment), \(film.turn))"
    }
  }

  /// Releases its videos; reports of their end that came meanwhile are delivered now.
  func release() async {
    for film in playedVideos.values.sorted(by: { $0.view.rawValue < $1.view.rawValue }) {
      let unheard = film.endUnheard
      film.endUnheard = []
      for report in unheard { pass(report, film.turn, to: film) }
    }
    await sendToEachPlayer { _ in "release()" }
  }

  /// Sends a command to each player and waits until it is done; nil stands for the video in the host's own player.
  private func sendToEachPlayer(_ call: (PlayedVideo?) -> String) async {
    for film in playedVideos.values.sorted(by: { $0.view.rawValue < $1.view.rawValue }) {
      await render.stage.pages[film.view]?.callPlayer(call(film))
    }
    guard render.browser.playsVideo(of: context) else { return }
    await render.stage.pages[.browser]?.callPlayer(call(nil))
  }
}
