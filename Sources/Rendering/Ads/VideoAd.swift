internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// An ad's films with the cards between them: their players' pages, what these tell, and what they are told.
@WebKitActor final class VideoAd {
  let context: AdContext
  let pages: PageFactory
  let tracker: AdTracker
  /// By their players' views.
  private(set) var playedVideos: [AdViewID: PlayedVideo] = [:]
  /// End cards between the films of a pod, by their views.
  private var cards: [AdViewID: CompanionCreative] = [:]
  /// Pages in which films' measuring code runs, by their views.
  var measuringPages: [AdViewID: OMIDController] = [:]

  init(pages: PageFactory, tracker: AdTracker) {
    self.pages = pages
    self.tracker = tracker
    context = pages.context
  }

  private var render: RenderContext { context.render }

  /// Every view that it has, in an order that is always the same.
  var views: [AdViewID] {
    (Array(playedVideos.keys) + Array(cards.keys) + Array(measuringPages.keys)).sorted { $0.rawValue < $1.rawValue }
  }

  /// Whether all films have been played or skipped, or one waits for a person.
  var isOver: Bool {
    playedVideos.values.allSatisfy(\.isAtRest) || playedVideos.values.contains(where: \.isAwaitingPerson)
  }

  /// The end card that a view shows.
  func card(in view: AdViewID) -> CompanionCreative? { cards[view] }

  /// What a film may take to show its first picture, and what runs above it to begin and to answer.
  private static let patience = Duration.seconds(10)
  private static let patienceWithInteractive = Duration.seconds(21)

  /// Makes the player of an ad's film and waits until its first picture is there; throws why it can't be played.
  func loadVideo(_ ad: ResolvedAd, number: Int) async throws(VASTProblem) -> PlayedVideo {
    guard let linear = ad.linear else { throw VASTProblem(.unexpectedLinearity, "the ad has no film to play") }
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
      throw VASTProblem(.mediaDisplay, "\(media.url) came, but isn't a film that can be played")
    case nil: throw VASTProblem(.mediaTimeout, "\(media.url) didn't show anything within 10 s")
    }
  }

  private func load(_ player: PlayerPage, into view: AdViewID) -> AdPage {
    let address = context.host(player.html(channel: context.scripts.channel), as: view.rawValue)
    context.serve()
    let page = pages.make(view, .ads, owner: self)
    page.view.load(address)
    return page
  }

  /// Where the page of an interactive creative is loaded from; without it the film is played alone.
  private func interactiveAddress(of url: String, _ ad: ResolvedAd) -> CreativeAddress? {
    do throws(AddressRefusal) {
      return try context.judge(whole: tracker.address(url, of: ad), for: .interactive)
    } catch {
      tracker.track(VASTProblem(.interactiveCreativeFile, "\(url): \(error)", beacons: ad.errors))
      return nil
    }
  }

  /// Makes the player of an overlay that runs above a programme, and waits until it may be shown.
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
    case nil: throw VASTProblem(.nonLinearFetch, "\(url) wasn't ready in time", beacons: ad.errors)
    }
    let creative = OverlayCreative(
      ad: ad, overlay: overlay, isInterstitial: context.isInterstitial, displayView: view, host: self)
    film.overlay = creative
    return creative
  }

  /// Where a film is loaded from, if it may be.
  private func source(of media: VASTMediaFile, _ ad: ResolvedAd) throws(VASTProblem) -> CreativeAddress {
    do throws(AddressRefusal) {
      return try context.judge(whole: tracker.address(media.url, of: ad), for: .media)
    } catch {
      throw VASTProblem(.mediaNotFound, "\(media.url): \(error)")
    }
  }

  /// Loads the end card of a film that others follow, above the app only: in a slot nobody could close it.
  func loadCard(of film: PlayedVideo, place: Int, _ maker: EndCardMaker) async {
    guard context.isInterstitial,
      let card = EndCard(of: film.ad, width: context.placement.width, height: context.placement.height),
      let page = await maker.load(card, of: film.ad, place: place)
    else { return }
    let creative = CompanionCreative(card: card, place: place, displayView: page.id, host: self)
    cards[page.id] = creative
    film.card = creative
  }

  /// The films as creatives, each with its own end card after it where others follow.
  ///
  /// - Parameter isLast: whether nothing comes after them.
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

extension VideoAd: @WebKitActor VideoHost {
  /// Waits for a picture that is about to be taken: the first is of the film's first moment.
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

  private func sendPlayerCommand(_ view: AdViewID, _ call: String) { render.stage.pages[view]?.sendPlayerCommand(call) }
}

extension VideoAd: PageOwner {
  func heard(_ message: OMIDMessage, from controller: PageController) {
    measuringPages[controller.page.id]?.heard(message, from: controller)
  }

  func received(_ load: ResourceLoad, in page: AdPage) {
    guard let film = playedVideos[page.id], (200..<300).contains(load.status) else { return }
    if (load.redirects.first ?? load.url) == film.source.url { film.isFound = true }
  }

  func heard(_ message: PlayerMessage, from controller: PageController) {
    guard let film = playedVideos[controller.page.id] else { return }
    switch message {
    case .ready(let duration): settle(film, duration)
    case .report(.failed(let reason), _) where film.readiness == nil:
      film.readiness = .failure(VASTProblem(.mediaNotFound, "\(film.media.url): \(reason)"))
    // What is said before there is an ad belongs before it.
    case .simid(let name, let detail) where !film.isLoaded: context.record(.simid, name, named(detail, of: film))
    case .simid(let name, let detail): controller.logEvent(source: .simid, name, named(detail, of: film))
    case .report(let report, _) where !film.isLoaded: hearEarly(report, of: film)
    case .report(let report, let turn):
      controller.process { [weak self, weak film] in
        if let film { self?.deliver(report, turn, to: film) }
      }
    }
    render.recorder.wakeWaiters()
  }

  /// From the second film of a pod on, whose it is.
  private func named(_ detail: JSONValue, of film: PlayedVideo) -> JSONValue {
    guard film.view != context.views.player, case .object(var members) = detail else { return detail }
    members["video"] = .string(film.view.rawValue)
    return .object(members)
  }

  private func settle(_ film: PlayedVideo, _ duration: Double?) {
    guard film.readiness == nil else { return }
    let seconds = duration ?? film.ad.linear?.duration ?? 0
    film.readiness =
      seconds > 0 ? .success(seconds) : .failure(VASTProblem(.unexpectedDuration, "\(film.media.url) has no length"))
    // One that comes while all others stand still does so from the start.
    if render.playedVideos.areHeld { sendPlayerCommand(film.view, "hold(null)") }
  }

  /// Hands a report on once nothing holds the ad's commands back, or the rest of one that was left half-way.
  private func pass(_ report: PlayerReport, _ turn: Int?, to film: PlayedVideo) {
    render.turns.pass { [weak self, weak film] in
      if let film { self?.deliver(report, turn, to: film) }
    }
  }

  private func deliver(_ report: PlayerReport, _ turn: Int?, to film: PlayedVideo) {
    guard turn == nil || turn == film.turn else { return }
    if report.isPersons { context.delegate?.becameActive() }
    if case .buffering(let waits) = report { film.omid?.heard(.plain(waits ? "bufferStart" : "bufferFinish")) }
    guard !render.playedVideos.areHeld || !report.isProgress else {
      if report.isEnd { film.endUnheard.append(report) }
      return
    }
    if !film.handle(judged(report, of: film)) { pass(report, turn, to: film) }
    render.recorder.wakeWaiters()
  }

  /// What an interactive creative comes to before there is an ad.
  private func hearEarly(_ report: PlayerReport, of film: PlayedVideo) {
    switch report {
    case .interactive(.error(let code, let message, let isFatal)):
      tracker.track(
        TrackedEvent(interactiveError: code, message, isFatal: isFatal, beacons: film.ad.errors))
    case .interactive(.tracking(let urls)): tracker.track(TrackedEvent("reportTracking", beacons: urls))
    default: break
    }
  }

  /// A page's frame tells that it has loaded whatever came: only the host knows that nothing did.
  private func judged(_ report: PlayerReport, of film: PlayedVideo) -> PlayerReport {
    guard case .iconShown(let place) = report, let icons = film.ad.linear?.icons, icons.indices.contains(place),
      case .page(let url)? = icons[place].resource,
      render.stage.pages[film.view]?.failure(of: tracker.address(url, of: film.ad)) != nil
    else { return report }
    return .iconFailed(place)
  }
}

extension VideoAd {
  /// The app went to the background, or came back; what runs above films is told.
  func setForeground(_ isForeground: Bool) {
    for film in playedVideos.values where film.interactive != nil {
      sendPlayerCommand(film.view, "foreground(\(isForeground))")
    }
  }

  /// Something in a player's page leads elsewhere by itself, rather than by the player.
  func leaves(to url: String, from view: AdViewID) {
    guard let film = playedVideos[view], film.interactive != nil else { return }
    if let overlay = film.overlay { overlay.openedByItself(url) } else { film.creative?.openedByItself(url) }
  }

  /// Whether something of it can be held for a picture.
  var hasVideos: Bool { !playedVideos.isEmpty || render.browser.playsVideo(of: context) }

  /// Has its films stand still, at the moment told last where that was just now; returns once they do.
  func hold() async {
    await sendToEachPlayer { film in
      guard let film else { return "hold('nearest')" }
      guard let moment = film.momentToShow else { return "hold(null)" }
      film.seekBack()
      return "hold(\(moment), \(film.turn))"
    }
  }

  /// Lets its films go on; an end that came meanwhile is heard now.
  func release() async {
    for film in playedVideos.values.sorted(by: { $0.view.rawValue < $1.view.rawValue }) {
      let unheard = film.endUnheard
      film.endUnheard = []
      for report in unheard { pass(report, film.turn, to: film) }
    }
    await sendToEachPlayer { _ in "release()" }
  }

  /// Tells each film something and waits until it has done it; nil is what the host's own player plays.
  private func sendToEachPlayer(_ call: (PlayedVideo?) -> String) async {
    for film in playedVideos.values.sorted(by: { $0.view.rawValue < $1.view.rawValue }) {
      await render.stage.pages[film.view]?.callPlayer(call(film))
    }
    guard render.browser.playsVideo(of: context) else { return }
    await render.stage.pages[.browser]?.callPlayer(call(nil))
  }
}
