internal import AdManager
internal import AdResponses
internal import Device
internal import RenderModel
internal import WebKitRuntime

extension RenderSession {
  /// What a film may take to show its first picture.
  private static let patience = Duration.seconds(10)

  /// Makes the player of an ad's film and waits until its first picture is there; throws why it can't be played.
  func loadFilm(_ ad: ResolvedAd, number: Int) async throws(VASTProblem) -> Film {
    guard let linear = ad.linear else { throw VASTProblem(.unexpectedLinearity, "the ad has no film to play") }
    let scale = Double(job.device.renderScale)
    let media = try MediaChoice.choose(
      of: linear, width: placement.width * scale, height: placement.height * scale)
    let view = number == 1 ? views.player : AdViewID(rawValue: "\(views.player.rawValue)-\(number)")
    let film = Film(ad: ad, media: media, view: view, source: try source(of: media, ad))
    video.films[view] = film
    let path = "\(PlayerPage.folder)\(view.rawValue).html"
    let player = PlayerPage(
      film: linear, source: film.source, isInterstitial: isInterstitial, isMuted: !isInterstitial
    ) { [weak self] icon in
      guard let self else { return nil }
      return try? judge(whole: address(icon, of: ad), for: .icon)
    }
    video.pages[path] = SchemeResponse(
      mimeType: "text/html; charset=utf-8", body: player.html(channel: scripts.channel))
    serveCreative()
    let page = makePage(view, part: nil, isAd: true)
    page.view.load(addresses.hostPage(path))
    _ = await recorder.wait(Self.patience) { [weak self] in film.readiness != nil || self?.failure != nil }
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

  /// Where a film is loaded from, if it may be.
  private func source(of media: VASTMediaFile, _ ad: ResolvedAd) throws(VASTProblem) -> CreativeAddress {
    do throws(AddressRefusal) {
      return try judge(whole: address(media.url, of: ad), for: .media)
    } catch {
      throw VASTProblem(.mediaNotFound, "\(media.url): \(error)")
    }
  }

  var isInterstitial: Bool { job.placement.kind == .interstitial }

  /// The player's page told something.
  func hear(_ message: PlayerMessage, of film: Film, _ page: AdPage) {
    switch message {
    case .ready(let duration): settle(film, duration)
    case .report(.failed(let reason), _) where film.readiness == nil:
      film.readiness = .failure(VASTProblem(.mediaNotFound, "\(film.media.url): \(reason)"))
    case .report(let report, let turn):
      heed(page) { [weak self, weak film] in
        guard let film else { return }
        self?.deliver(report, turn, to: film)
      }
    }
    recorder.wakeWaiters()
  }

  /// Hands a report on once nothing holds the ad's commands back, or the rest of one that was left half-way.
  private func deliver(_ report: PlayerReport, _ turn: Int?, to film: Film) {
    gate.pass { [weak self, weak film] in
      guard let self, let film, turn == nil || turn == film.turn else { return }
      if report.isPersons { becomeActive() }
      guard !filmsStandStill || !report.isProgress else {
        if report == .ended { film.hasEndedUnheard = true }
        return
      }
      guard film.creative?.handle(judged(report, of: film)) == false else { return }
      deliver(report, turn, to: film)
    }
  }

  /// A page's frame tells that it has loaded whatever came: only the host knows that nothing did.
  private func judged(_ report: PlayerReport, of film: Film) -> PlayerReport {
    guard case .iconShown(let place) = report, let icons = film.ad.linear?.icons, icons.indices.contains(place),
      case .page(let url)? = icons[place].resource, let page = player(film.view),
      failure(of: address(url, of: film.ad), on: page) != nil
    else { return report }
    return .iconFailed(place)
  }

  /// Whether somebody looks at a moment of the ad's films, or of those beside it in its feed.
  var filmsStandStill: Bool { (host ?? self).video.holds > 0 }

  func standsStill(_ view: AdViewID) -> Bool { filmsStandStill || gate.isHeld }

  private func settle(_ film: Film, _ duration: Double?) {
    guard film.readiness == nil else { return }
    let seconds = duration ?? film.ad.linear?.duration ?? 0
    film.readiness =
      seconds > 0 ? .success(seconds) : .failure(VASTProblem(.unexpectedDuration, "\(film.media.url) has no length"))
    // One that comes while all others stand still does so from the start.
    if filmsStandStill { tell(film.view, "hold(null)") }
  }

  /// Lets films stand still, at the moment told last where that was just now, until as many have let them go again.
  ///
  /// So a picture is of one moment, and what a scenario's step finds doesn't depend on how long the one before took.
  func holdFilms() async {
    beginHold()
    await stopFilms()
  }

  /// Waits until something is so, and holds films from the very turn in which it is; false when time was over.
  func holdFilms(_ timeout: Duration, when isSo: @escaping @WebKitActor () -> Bool) async -> Bool {
    let comes = await recorder.wait(timeout) { [weak self] in
      guard isSo() else { return false }
      self?.beginHold()
      return true
    }
    if comes { await stopFilms() }
    return comes
  }

  /// Nothing is heard of how films go on; `stopFilms` tells the films.
  private func beginHold() { video.holds += 1 }

  /// Returns once the films stand still, whoever was the first to want it.
  private func stopFilms() async {
    if video.areStopping { _ = await recorder.wait(.seconds(2)) { [weak self] in self?.video.areStopping != true } }
    guard video.holds > 0, !video.areStopped else { return }
    (video.areStopped, video.areStopping) = (true, true)
    for ad in adsWithFilms {
      await ad.tellFilms { film in
        guard let film else { return "hold('nearest')" }
        guard let moment = film.momentToShow else { return "hold(null)" }
        film.goesBack()
        return "hold(\(moment), \(film.turn))"
      }
    }
    video.areStopping = false
    recorder.wakeWaiters()
  }

  /// Lets films go on.
  func releaseFilms() async {
    video.holds -= 1
    guard video.holds == 0 else { return }
    video.areStopped = false
    for ad in adsWithFilms {
      for film in ad.video.films.values where film.hasEndedUnheard {
        film.hasEndedUnheard = false
        ad.deliver(.ended, film.turn, to: film)
      }
      await ad.tellFilms { _ in "release()" }
    }
  }

  /// This ad, or those in its feed, in an order that is always the same.
  private var adsWithFilms: [RenderSession] {
    ([self] + (feed?.ads.flatMap(\.sessions) ?? [])).filter { !$0.video.films.isEmpty || $0.video.playsVideo }
  }

  /// Tells each film of the ad something and waits until it has done it; nil is what the host's own player plays.
  private func tellFilms(_ call: (Film?) -> String) async {
    for film in video.films.values.sorted(by: { $0.view.rawValue < $1.view.rawValue }) {
      _ = try? await player(film.view)?.view.call("await \(order(call(film)))", world: .page)
    }
    guard video.playsVideo else { return }
    _ = try? await player(.browser)?.view.call("await \(order(call(nil)))", world: .page)
  }

  /// The same where nobody waits for it.
  func letFilmsGoOn() {
    Task { @WebKitActor [weak self] in await self?.releaseFilms() }
  }

  func order(_ call: String) -> String { "window[\"\(scripts.channel)\"].\(call)" }

  func player(_ view: AdViewID) -> AdPage? { stage.pages[view] }
}
