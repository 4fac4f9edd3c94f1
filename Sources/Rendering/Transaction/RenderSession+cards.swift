internal import AdExperience
internal import Jobs
internal import MRAID
internal import VAST
internal import WebKitRuntime

extension RenderSession {
  /// What a card may take to load.
  private static let patience = Duration.seconds(5)

  func cardView(_ place: Int) -> AdViewID { AdViewID(rawValue: "\(views.page.rawValue)-card-\(place)") }

  /// Loads the end card of a film that others follow, above the app only: in a slot nobody could close it.
  func loadCard(of film: Film, place: Int) async {
    guard isInterstitial, let card = EndCard(of: film.ad, width: placement.width, height: placement.height) else {
      return
    }
    let view = cardView(place)
    let path = "\(PlayerPage.folder)\(view.rawValue).html"
    let markup = card.html { [weak self] in self?.address($0, of: film.ad) ?? $0 }
    video.pages[path] = SchemeResponse(mimeType: "text/html; charset=utf-8", body: Array(markup.utf8))
    let page = makePage(view, part: nil, isAd: true)
    page.view.load(addresses.origin + path)
    let isThere = await recorder.wait(Self.patience) { [weak self] in page.isLoaded || self?.failure != nil }
    guard isThere else {
      stage.remove(view)
      return trackProblem(
        VASTProblem(.companionFetch, "the end card of ad \(place) wasn't there in time", beacons: film.ad.errors))
    }
    video.cards[view] = CompanionCreative(card: card, place: place, displayView: view, host: self)
  }
}
