internal import AdManager
internal import AdResponses
internal import Device
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Creates the pages of end cards, and checks that they show something.
@EngineActor struct EndCardMaker {
  let pages: PageFactory
  let tracker: AdTracker

  /// Time that a card has to load.
  private static let patience = Duration.seconds(5)

  private var context: AdContext { pages.context }
  private var recorder: Recorder { pages.context.render.recorder }

  /// Loads the end card of the ad at `place`, which other ads follow; its page, or nil if none can be shown.
  func load(_ card: EndCard, of ad: ResolvedAd, place: Int) async -> AdPage? {
    let view = AdViewID(rawValue: "\(context.views.page.rawValue)-card-\(place)")
    let markup: String
    do throws(VASTProblem) {
      markup = try self.markup(of: card, ad)
    } catch {
      tracker.track(error)
      return nil
    }
    let address = context.host(Array(markup.utf8), as: view.rawValue)
    let page = pages.make(view, .ads, owner: nil)
    page.view.load(address)
    let render = context.render
    let isThere = await recorder.wait(Self.patience) { [weak render] in page.isLoaded || render?.failure != nil }
    guard isThere else { return fail("the end card of ad \(place) didn't load in time", page, ad) }
    do {
      try await check(card, of: ad, on: page)
    } catch {
      return fail("the end card of ad \(place): \(error.description)", page, ad)
    }
    page.isCard = true
    return page
  }

  private func fail(_ reason: String, _ page: AdPage, _ ad: ResolvedAd) -> AdPage? {
    context.render.stage.remove(page.id)
    tracker.track(VASTProblem(.companionFetch, reason, beacons: ad.errors))
    return nil
  }

  /// Markup of an end card; throws if its content may not be loaded.
  func markup(of card: EndCard, _ ad: ResolvedAd) throws(VASTProblem) -> String {
    var refusal: AddressRefusal?
    let markup = card.html { text in
      do throws(AddressRefusal) {
        // A session's own host isn't part of the page, which is the same in all of them.
        return context.addresses.relative(
          try context.judge(whole: tracker.address(text, of: ad), for: .companion).url)
      } catch {
        refusal = error
        return ""
      }
    }
    guard let refusal else { return markup }
    throw VASTProblem(
      .companionFetch, "the end card \(context.addresses.display(refusal.url)): \(refusal)", beacons: ad.errors)
  }

  /// Throws if a card whose page has loaded shows nothing, as its view would otherwise be counted wrongly.
  func check(_ card: EndCard, of ad: ResolvedAd, on page: AdPage?) async throws(AdError) {
    guard let page, let written = card.address else { return }
    // Of what didn't come is heard by another way than of the load's end.
    _ = await recorder.wait(.milliseconds(500)) { page.resourcesHaveEnded }
    // An address that may not be loaded has been refused by now.
    guard let url = try? context.judge(whole: tracker.address(written, of: ad), for: .companion).url else { return }
    if let reason = page.failure(of: url) { throw AdError("\(context.addresses.display(url)): \(reason)") }
    guard case .screenshot = card.resource else { return }
    let question = PageQuestion(page: page, clock: context.render.clock)
    let isThere: Bool? = await question.ask(Array(Self.askScreenshot.utf8))
    if isThere == false {
      throw AdError("\(context.addresses.display(url)) was loaded, but isn't an image that can be shown")
    }
  }

  /// Script that returns true if the page's first image has arrived and been decoded.
  private static let askScreenshot = """
    const picture = Document.prototype.querySelector.call(document, "img");
    if (!picture) return false;
    return picture.naturalWidth > 0 || picture.decode().then(() => true, () => false);
    """
}
