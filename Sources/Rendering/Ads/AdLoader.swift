internal import AdManager
internal import AdResponses
internal import Core
internal import Creatives
internal import Engine
internal import RenderModel
internal import WebKitRuntime

/// Loads the transaction of an ad, from an opened or loaded response, through the chain that every ad passes.
@EngineActor final class AdLoader {
  let context: AdContext
  let pages: PageFactory
  let html: HTMLAd
  let video: VideoAd
  let tracker: AdTracker
  private let log: DelegateLogger

  init(pages: PageFactory, html: HTMLAd, video: VideoAd, tracker: AdTracker, log: DelegateLogger) {
    self.pages = pages
    self.html = html
    self.video = video
    self.tracker = tracker
    self.log = log
    context = pages.context
  }

  private static let isOver = AdError("the render is over")

  /// Response before anything is loaded: an opened one, or a page.
  private var openedResponse: AdResponse {
    let name = context.argument == "-" ? "standard input" : context.argument
    guard let response = context.bundle.response else { return AdResponse(form: .page, name: name) }
    return AdResponse(form: response.form.response, body: response.bytes, name: name)
  }

  private func build(_ ad: DecodedAd) -> Promise<[any Creative]> {
    if let bid = ad.bid { tellAuction(bid) }
    switch ad.markup {
    case .page: return page().catch { [weak self] in try self?.understand($0) ?? Promise(error: $0) }
    case .html(let markup):
      context.bundle = context.bundle.showing(markup)
      return page()
    case .native(let native): return card(of: native)
    case .vast(let document): return videos([ScheduledAds(document: document)])
    case .vmap(let document):
      describe(document)
      return videos(document.schedule.compactMap(ScheduledAds.init))
    }
  }

  private func videos(_ responses: [ScheduledAds]) -> Promise<[any Creative]> {
    Promise(isolation: EngineActor.shared) { [weak self] in
      guard let self else { throw Self.isOver }
      return try await buildVideos(responses)
    }
  }

  /// Builds a native ad, with its tracking and measuring code.
  private func card(of ad: NativeAd) -> Promise<[any Creative]> {
    let card = NativeCard(ad)
    describe(ad)
    context.bundle = context.bundle.showing(card.html)
    guard context.render.job.measuresByOMID else { return page(of: card, ad) }
    return Promise<Void>(isolation: EngineActor.shared) { [html, tracker] in
      await html.measure(ad.verifications, tracker: tracker) { tracker.address($0, base: nil) }
    }
    .then { [weak self] in self?.page(of: card, ad) ?? Promise(error: Self.isOver) }
  }

  private func page(of card: NativeCard, _ ad: NativeAd) -> Promise<[any Creative]> {
    Promise { resolver in
      html.load { [tracker] result in
        if case .success(let creative) = result {
          creative.onDisplay = { [weak tracker] in
            tracker?.track(TrackedEvent(.nativeImpression, beacons: ad.impressions))
          }
          creative.onClick = { [weak tracker] in
            tracker?.track(TrackedEvent(.nativeClick, beacons: card.clickTracking))
          }
        }
        resolver.settle(result.map { [$0] })
      }
    }
  }

  /// Loads the page of the bundle; the promise resolves before the page does anything more.
  private func page() -> Promise<[any Creative]> {
    Promise { resolver in html.load(isMeasured: true) { resolver.settle($0.map { [$0] }) } }
  }

  /// Tries to decode an address's answer, which isn't a page, as a response.
  private func understand(_ error: any Error) throws -> Promise<[any Creative]> {
    guard let error = error as? AdError, error.code == HTMLAd.notAPage else { throw error }
    return Promise<AdResponse>(isolation: EngineActor.shared) { [weak self] in
      guard let self else { throw Self.isOver }
      let body = await html.page?.view.documentBytes() ?? []
      guard let form = ResponseForm(body) else { throw AdError(error.description) }
      context.bundle.note(document: body)
      html.removePage()
      return AdResponse(form: form.response, body: body, name: context.bundle.url ?? context.argument)
    }
    .then { try AdDecoder.decode($0) }
    .then { [weak self] in self?.build($0) ?? Promise(error: Self.isOver) }
  }

  /// Logs the parts of a native ad that aren't supported.
  private func describe(_ ad: NativeAd) {
    for script in ad.scripts { context.record(.vast, .verificationNotExecuted, ["resources": [.string(script)]]) }
    if !context.render.job.measuresByOMID { tellUnmeasured(ad.verifications) }
    for case .video in ad.assets.map(\.content) { context.warn("the native ad's video isn't played") }
  }

  /// Logs measuring code of an ad that nobody measures.
  func tellUnmeasured(_ verifications: [VASTVerification]) {
    for verification in verifications { tracker.track(verification, .notSupported) }
  }

  /// Logs the notices of the auction; none of them is sent.
  private func tellAuction(_ won: WonBid) {
    context.record(.ad, .bidWon, AdDescription.detail(of: won))
    if let url = won.winNotice { context.record(.ad, .winNotice, ["url": .string(url), "sent": false]) }
    for notice in won.lossNotices {
      context.record(
        .ad, .lossNotice, ["url": .string(notice.url), "bid": .string(notice.bid), "sent": false])
    }
    if let url = won.billingNotice {
      log.onDisplay = { [weak log, weak context] in
        context?.record(.ad, .billingNotice, ["url": .string(url), "sent": false])
        log?.onDisplay = nil
      }
    }
    let others = won.response.impressions.dropFirst().count
    if others > 0 { context.warn("the response bids for \(others) more impressions, which aren't shown") }
  }
}

extension AdLoader: @EngineActor TransactionLoader {
  func load(
    _ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void
  ) {
    TransactionChain.run(openedResponse, configuration) { [weak self] ad in
      self?.build(ad) ?? Promise(error: Self.isOver)
    }
    .observe { [weak self] result in
      guard let self, !context.isOver else { return }
      let result = result.mapError { AdError($0) }
      // A response that can't be read names nobody who could be told; the log is.
      if case .failure(let error) = result, let code = error.untold {
        tracker.track(VASTProblem(code, error.description))
      }
      completion(result)
    }
  }
}

extension ResponseForm {
  /// Name of the form in the chain.
  fileprivate var response: AdResponse.Form {
    switch self {
    case .vast: .vast
    case .vmap: .vmap
    case .bid: .bid
    }
  }
}
