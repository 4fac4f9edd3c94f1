internal import AdManager
internal import AdResponses
internal import RenderModel
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
    let markup: String
    do throws(VASTProblem) {
      markup = try page(around: card, of: film.ad)
    } catch {
      return trackProblem(error)
    }
    video.pages[path] = SchemeResponse(mimeType: "text/html; charset=utf-8", body: Array(markup.utf8))
    let page = makePage(view, part: nil, isAd: true)
    page.view.load(addresses.hostPage(path))
    let isThere = await recorder.wait(Self.patience) { [weak self] in page.isLoaded || self?.failure != nil }
    guard isThere else {
      stage.remove(view)
      return trackProblem(
        VASTProblem(.companionFetch, "the end card of ad \(place) wasn't there in time", beacons: film.ad.errors))
    }
    do {
      try await checkCard(card, of: film.ad, on: page)
    } catch {
      stage.remove(view)
      return trackProblem(
        VASTProblem(.companionFetch, "the end card of ad \(place): \(error.description)", beacons: film.ad.errors))
    }
    video.cards[view] = CompanionCreative(card: card, place: place, displayView: view, host: self)
  }

  /// The page of an end card, if what it shows may be loaded.
  func page(around card: EndCard, of ad: ResolvedAd) throws(VASTProblem) -> String {
    var refusal: AddressRefusal?
    let markup = card.html { text in
      do throws(AddressRefusal) {
        // A session's own host isn't part of the page, which is the same in all of them.
        return addresses.relative(try judge(whole: address(text, of: ad), for: .companion).url)
      } catch {
        refusal = error
        return ""
      }
    }
    guard let refusal else { return markup }
    throw VASTProblem(.companionFetch, "the end card \(addresses.display(refusal.url)): \(refusal)", beacons: ad.errors)
  }

  /// Throws why a card whose page has loaded shows nothing: a view of it would be told that nobody had.
  func checkCard(_ card: EndCard, of ad: ResolvedAd, on page: AdPage?) async throws(AdError) {
    guard let page, let written = card.address else { return }
    // Of what didn't come is heard by another way than of the load's end.
    _ = await recorder.wait(.milliseconds(500)) { page.resourcesHaveEnded }
    // An address that may not be loaded has been refused by now.
    guard let url = try? judge(whole: address(written, of: ad), for: .companion).url else { return }
    if let reason = failure(of: url, on: page) { throw AdError("\(addresses.display(url)): \(reason)") }
    guard case .picture = card.resource else { return }
    let isThere: Bool? = await PageQuestion(page: page, clock: clock).ask(Array(Self.askPicture.utf8))
    if isThere == false { throw AdError("\(addresses.display(url)) came, but isn't a picture that can be shown") }
  }

  /// Why what the page asked for at this address didn't come; nil when it did, or is still on its way.
  func failure(of url: String, on page: AdPage) -> String? {
    guard let load = page.missing[url] else { return nil }
    return load.failure ?? "answered with status \(load.status)"
  }

  /// Whether the page's first picture has come and been understood.
  private static let askPicture = """
    const picture = Document.prototype.querySelector.call(document, "img");
    if (!picture) return false;
    return picture.naturalWidth > 0 || picture.decode().then(() => true, () => false);
    """
}
