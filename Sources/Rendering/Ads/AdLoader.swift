internal import AdManager
internal import AdResponses
internal import Core
internal import Creatives
internal import RenderModel
internal import WebKitRuntime

/// Makes the transaction of an ad: of what was opened or loaded, by the chain that every ad goes.
@WebKitActor final class AdLoader {
  private let context: AdContext
  private let pages: PageFactory
  private let html: HTMLAd
  private let video: VideoAd
  private let tracker: AdTracker
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

  /// The chain from the request to the ad: what was opened or loaded, understood, and made into creatives.
  private var chain: TransactionChain {
    TransactionChain(
      fetch: { [weak self] in Promise(value: self?.openedResponse ?? AdResponse(form: .page, name: "")) },
      build: { [weak self] ad in self?.build(ad) ?? Promise(error: Self.isOver) })
  }

  /// What there is before anything is loaded: an answer that was opened, or a page.
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
    Promise(isolation: WebKitActor.shared) { [weak self] in
      guard let self else { throw Self.isOver }
      return try await buildVideos(responses)
    }
  }

  /// A native ad put together, and whoever hears of it.
  private func card(of ad: NativeAd) -> Promise<[any Creative]> {
    let card = NativeCard(ad)
    describe(ad)
    context.bundle = context.bundle.showing(card.html)
    guard context.render.job.measuresByOMID else { return page(of: card, ad) }
    return Promise<Void>(isolation: WebKitActor.shared) { [html, tracker] in
      await html.measure(ad.verifications, tracker: tracker) { tracker.address($0, base: nil) }
    }
    .then { [weak self] in self?.page(of: card, ad) ?? Promise(error: Self.isOver) }
  }

  private func page(of card: NativeCard, _ ad: NativeAd) -> Promise<[any Creative]> {
    Promise { resolver in
      html.load { [tracker] result in
        if case .success(let creative) = result {
          creative.onDisplay = { [weak tracker] in
            tracker?.track(TrackedEvent("nativeImpression", beacons: ad.impressions))
          }
          creative.onClick = { [weak tracker] in
            tracker?.track(TrackedEvent("nativeClick", beacons: card.clickTracking))
          }
        }
        resolver.settle(result.map { [$0] })
      }
    }
  }

  /// The page of the bundle, as soon as it is ready: whoever waits hears of it before the page does anything more.
  private func page() -> Promise<[any Creative]> {
    Promise { resolver in html.load(isMeasured: true) { resolver.settle($0.map { [$0] }) } }
  }

  /// What an address answers with that is no page but perhaps a response.
  private func understand(_ error: any Error) throws -> Promise<[any Creative]> {
    guard let error = error as? AdError, error.code == HTMLAd.notAPage else { throw error }
    return Promise<AdResponse>(isolation: WebKitActor.shared) { [weak self] in
      guard let self else { throw Self.isOver }
      let body = await html.page?.view.documentBytes() ?? []
      guard let form = ResponseForm(body) else { throw AdError(error.description) }
      html.removePage()
      return AdResponse(form: form.response, body: body, name: context.bundle.url ?? context.argument)
    }
    .then { try AdDecoder.decode($0) }
    .then { [weak self] in self?.build($0) ?? Promise(error: Self.isOver) }
  }

  /// Who is told of the auction; nobody really is.
  private func tellAuction(_ won: WonBid) {
    let bid = won.bid
    var detail: [String: JSONValue] = [
      "id": .string(bid.id), "price": .number(bid.price), "currency": .string(won.response.currency),
    ]
    detail["creative"] = bid.creativeID.map { .string($0) }
    detail["seat"] = bid.seat.map { .string($0) }
    if !bid.advertiserDomains.isEmpty { detail["domains"] = .array(bid.advertiserDomains.map { .string($0) }) }
    if !bid.apis.isEmpty { detail["apis"] = .array(bid.apis.map { .number(Double($0)) }) }
    context.record(.ad, "bidWon", .object(detail))
    if let url = won.winNotice { context.record(.ad, "winNotice", ["url": .string(url), "sent": false]) }
    for notice in won.lossNotices {
      context.record(
        .ad, "lossNotice", ["url": .string(notice.url), "bid": .string(notice.bid), "sent": false])
    }
    if let url = won.billingNotice {
      log.onDisplay = { [weak log, weak context] in
        context?.record(.ad, "billingNotice", ["url": .string(url), "sent": false])
        log?.onDisplay = nil
      }
    }
    let others = won.response.impressions.dropFirst().count
    if others > 0 { context.warn("the response bids for \(others) more impressions, which aren't shown") }
  }
}

extension AdLoader: @WebKitActor TransactionLoader {
  func load(
    _ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void
  ) {
    chain.run(configuration).observe { [weak self] result in
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
  /// What the chain calls it.
  fileprivate var response: AdResponse.Form {
    switch self {
    case .vast: .vast
    case .vmap: .vmap
    case .bid: .bid
    }
  }
}

/// A response that is followed to its ads, and the break of a programme that it is for.
private struct ScheduledAds {
  let document: VASTDocument
  var adBreak: VMAPBreak?

  init(document: VASTDocument) { self.document = document }

  /// Nil for a break without ads.
  init?(_ adBreak: VMAPBreak) {
    guard let response = adBreak.response else { return nil }
    document = response
    self.adBreak = adBreak
  }
}

extension AdLoader {
  /// Follows documents to their ads, loads their films and the end card, and makes creatives of them.
  private func buildVideos(_ responses: [ScheduledAds]) async throws -> [any Creative] {
    var loaded: [PlayedVideo] = []
    var overlays: [ResolvedAd] = []
    var problems: [VASTProblem] = []
    let wrappers = WrapperFetch(pages: pages, tracker: tracker)
    for response in responses {
      let first = loaded.count
      let resolution = await VASTResolver.resolve(
        response.document, address: { [tracker] text, base in tracker.address(text, base: base) },
        accept: { [weak self] ad in
          guard let self else { return false }
          if EndCard(overlayOf: ad) != nil {
            overlays.append(ad)
            return true
          }
          do throws(VASTProblem) {
            if let problem = ad.overlayProblem { throw problem }
            let playedVideo = try await video.loadVideo(ad, number: loaded.count + 1)
            loaded.append(playedVideo)
            describe(playedVideo)
            return true
          } catch {
            problems.append(error)
            tracker.track(error.told(to: ad.errors))
            return false
          }
        },
        fetch: { (url) async throws(VASTFetchFailure) in try await wrappers.fetch(url) })
      for problem in resolution.problems { tracker.track(problem) }
      problems += resolution.problems
      for flaw in resolution.flaws { describe(flaw.remark, of: flaw.url) }
      for departure in resolution.departures { describe(departure.remark, of: departure.url) }
      for playedVideo in loaded[first...] { playedVideo.adBreak = response.adBreak }
      if loaded.count > first {
        loaded[first].opens = response.adBreak
        loaded[loaded.count - 1].closes = response.adBreak
      }
    }
    guard !loaded.isEmpty else {
      guard let overlay = overlays.first else { throw Self.noVideo(problems) }
      return [try await build(overlayOf: overlay)]
    }
    for overlay in overlays { context.warn("overlay \(overlay.id ?? "") isn't shown: the response has films as well") }
    if context.render.job.measuresByOMID {
      for (index, playedVideo) in loaded.enumerated() {
        await video.measure(playedVideo, place: index + 1, of: loaded.count)
      }
    }
    let cards = EndCardMaker(pages: pages, tracker: tracker)
    for (place, playedVideo) in loaded.dropLast().enumerated() {
      await video.loadCard(of: playedVideo, place: place + 1, cards)
    }
    let endCard = await loadEndCard(of: loaded, cards)
    // Without a page to hold it, what the film does waits for the first picture too.
    if endCard == nil { context.awaitShow() }
    return video.makeCreatives(of: loaded, isLast: endCard == nil) + (endCard.map { [$0] } ?? [])
  }

  /// The first overlay of an ad without a film, above a still of a programme.
  private func build(overlayOf ad: ResolvedAd) async throws -> any Creative {
    if let (overlay, url) = InteractiveChoice.overlay(of: ad) { return try await build(overlay, at: url, of: ad) }
    guard let overlay = EndCard(overlayOf: ad) else { throw Self.noVideo([]) }
    let maker = EndCardMaker(pages: pages, tracker: tracker)
    do {
      context.bundle = context.bundle.showing(try maker.markup(of: overlay, ad))
      if context.render.job.measuresByOMID {
        await html.measure(ad.verifications, tracker: tracker) { [tracker] in tracker.address($0, of: ad) }
      }
      let creative = try await html.load()
      try await maker.check(overlay, of: ad, on: html.page)
      creative.onDisplay = { [weak tracker] in
        tracker?.track(TrackedEvent("impression", beacons: ad.impressions))
        for event in ["creativeView", "start"] {
          let beacons = ad.nonLinearTracking.filter { $0.event == event }.map(\.url)
          tracker?.track(TrackedEvent(event, beacons: beacons))
        }
      }
      creative.onClick = { [weak tracker] in
        tracker?.track(TrackedEvent("click", beacons: overlay.companion.clickTracking))
      }
      describe(overlayOf: ad)
      return creative
    } catch {
      let reason = (error as? VASTProblem)?.message ?? AdError(error).description
      let problem = VASTProblem(.nonLinearFetch, "the overlay: \(reason)", beacons: ad.errors)
      tracker.track(problem)
      html.removePage()
      throw Self.noVideo([problem])
    }
  }

  /// An overlay that runs above a programme.
  private func build(_ overlay: VASTNonLinear, at url: String, of ad: ResolvedAd) async throws -> any Creative {
    do throws(VASTProblem) {
      let creative = try await video.loadOverlay(overlay, at: url, of: ad)
      describe(overlayOf: ad, interactive: url)
      context.awaitShow()
      return creative
    } catch {
      // What a page of SIMID came to has been told.
      if !error.beacons.isEmpty || error.code == .nonLinearFetch { tracker.track(error) }
      throw Self.noVideo([error])
    }
  }

  /// Notes what is known of an ad without a film.
  private func describe(overlayOf ad: ResolvedAd, interactive: String? = nil) {
    var detail: [String: JSONValue] = ["version": .string(ad.version), "overlay": true]
    detail["id"] = ad.id.map { .string($0) }
    detail["title"] = ad.inLine.title.map { .string($0) }
    detail["interactive"] = interactive.map { .string(context.addresses.display($0)) }
    context.record(.vast, "ad", .object(detail))
    // Above a programme that an overlay of SIMID runs on nobody measures.
    if interactive != nil || !context.render.job.measuresByOMID { tellUnmeasured(ad.verifications) }
  }

  private func tellUnmeasured(_ verifications: [VASTVerification]) {
    for verification in verifications { tracker.track(verification, .notSupported) }
  }

  /// Notes the breaks of a schedule, those without ads among them.
  private func describe(_ schedule: VMAPDocument) {
    for flaw in schedule.flaws { describe(flaw, of: nil) }
    for adBreak in schedule.schedule {
      var detail: [String: JSONValue] = ["offset": .string("\(adBreak.offset)")]
      detail["id"] = adBreak.id.map { .string($0) }
      if adBreak.types != ["linear"] { detail["types"] = .array(adBreak.types.map { .string($0) }) }
      context.record(.vast, "break", .object(detail))
    }
  }

  /// Notes what of a native ad isn't done.
  private func describe(_ ad: NativeAd) {
    for script in ad.scripts { context.record(.vast, "verificationNotExecuted", ["resources": [.string(script)]]) }
    if !context.render.job.measuresByOMID { tellUnmeasured(ad.verifications) }
    for case .video in ad.assets.map(\.content) { context.warn("the native ad's video isn't played") }
  }

  private static func noVideo(_ problems: [VASTProblem]) -> AdError {
    guard let last = problems.last else { return AdError("the response has no ad", code: "ad-missing") }
    return AdError("\(last.message) (VAST error \(last.code.rawValue))", code: "vast-failed")
  }

  /// Loads the last film's end card, lest it covers the films before it; nil where there is none that can be shown.
  private func loadEndCard(of videos: [PlayedVideo], _ cards: EndCardMaker) async -> HTMLCreative? {
    for playedVideo in videos {
      if let problem = CompanionChoice.problem(
        with: playedVideo.ad.companions, required: playedVideo.ad.requiredCompanions)
      {
        tracker.track(problem.told(to: playedVideo.ad.errors))
      }
    }
    for playedVideo in videos {
      guard let problem = CompanionChoice.unsupported(playedVideo.ad.companions) else { continue }
      tracker.track(problem.told(to: playedVideo.ad.errors))
    }
    guard let ad = videos.last?.ad,
      let card = EndCard(of: ad, width: context.placement.width, height: context.placement.height)
    else { return nil }
    do {
      context.bundle = context.bundle.showing(try cards.markup(of: card, ad))
      let creative = try await html.load()
      try await cards.check(card, of: ad, on: html.page)
      count(card, shownBy: creative, place: videos.count > 1 ? videos.count : nil)
      return creative
    } catch let problem as VASTProblem {
      tracker.track(problem)
      return nil
    } catch {
      tracker.track(
        VASTProblem(.companionFetch, "the end card: \(AdError(error).description)", beacons: ad.errors))
      html.removePage()
      return nil
    }
  }

  private func count(_ card: EndCard, shownBy creative: HTMLCreative, place: Int?) {
    let detail: [String: JSONValue] = place.map { ["ad": .number(Double($0))] } ?? [:]
    creative.onDisplay = { [weak tracker] in
      tracker?.track(TrackedEvent("companionView", detail: detail, beacons: card.viewBeacons))
    }
    creative.onClick = { [weak tracker] in
      tracker?.track(TrackedEvent("companionClick", detail: detail, beacons: card.companion.clickTracking))
    }
  }

  /// Notes what of a response was mended or passed over; players put up with it, and others may not.
  private func describe(_ flaw: VASTFlaw, of url: String?) { remark("flaw", line: flaw.line, flaw.reason, of: url) }

  /// Notes where a response departs from the schema, which strict readers of it refuse.
  private func describe(_ departure: VASTDeparture, of url: String?) {
    let kind = JSONValue.string(departure.kind.rawValue)
    remark("departure", line: departure.line, departure.reason, of: url, ["kind": kind])
  }

  private func remark(
    _ name: String, line: Int, _ reason: String, of url: String?, _ more: [String: JSONValue] = [:]
  ) {
    var detail = more
    detail["line"] = .number(Double(line))
    detail["message"] = .string(reason)
    detail["url"] = url.map { .string(context.addresses.display($0)) }
    context.record(.vast, name, .object(detail))
  }

  /// Notes what is known of an ad, and what of it isn't done.
  private func describe(_ playedVideo: PlayedVideo) {
    let ad = playedVideo.ad
    guard let linear = ad.linear else { return }
    var detail: [String: JSONValue] = [
      "media": .string(context.addresses.display(playedVideo.media.url)), "type": .string(playedVideo.media.type),
      "duration": .number(playedVideo.duration ?? 0), "version": .string(ad.version),
    ]
    detail["id"] = ad.id.map { .string($0) }
    detail["title"] = ad.inLine.title.map { .string($0) }
    detail["skip"] = linear.skipOffset?.seconds(of: playedVideo.duration).map { .number($0) }
    if playedVideo.interactive != nil {
      detail["interactive"] = (InteractiveChoice.file(of: linear)?.url).map { .string(context.addresses.display($0)) }
    }
    if !ad.wrappers.isEmpty { detail["wrappers"] = .array(ad.wrappers.map { .string($0) }) }
    if !ad.extensions.isEmpty { detail["extensions"] = .array(ad.extensions.map { .string($0.xml) }) }
    context.record(.vast, "ad", .object(detail))
    describeUnused(ad, linear)
  }

  private func describeUnused(_ ad: ResolvedAd, _ linear: VASTLinear) {
    let run = InteractiveChoice.file(of: linear)
    for file in linear.interactiveFiles where file != run {
      let message = "\(file.apiFramework ?? "an interactive file") \(file.url) isn't run; the film is"
      tracker.track(VASTProblem(.interactiveNotExecuted, message, beacons: ad.errors))
    }
    if !context.render.job.measuresByOMID { tellUnmeasured(ad.verifications) }
    // Seeing as the industry counts it takes measuring code of its own.
    if !ad.viewable.isEmpty { tracker.track(TrackedEvent("viewUndetermined", beacons: ad.viewable.undetermined)) }
    for overlay in ad.nonLinears {
      tracker.track(TrackedEvent("nonLinear", detail: overlay.id.map { ["id": .string($0)] } ?? [:]))
    }
  }
}

/// Loads responses that wrappers lead to.
@WebKitActor struct WrapperFetch {
  let pages: PageFactory
  let tracker: AdTracker

  /// What a server may take to answer.
  private static let patience = Duration.seconds(5)

  /// Loads a response as a page nobody sees, so that it goes the way of all the ad's requests and stands in the log.
  func fetch(_ url: String) async throws(VASTFetchFailure) -> [UInt8] {
    let context = pages.context
    let address: CreativeAddress
    do throws(AddressRefusal) {
      address = try context.judge(whole: url, for: .wrapper)
    } catch {
      throw VASTFetchFailure(.unreachable, error.description)
    }
    context.record(.vast, "wrapper", ["url": .string(context.addresses.display(url))])
    let id = AdViewID(rawValue: "\(context.views.page.rawValue)-response-\(tracker.countResponse())")
    context.serve()
    let page = pages.make(id, .ads, owner: nil)
    let render = context.render
    defer { render.stage.remove(id) }
    page.view.load(address.loadable)
    let isThere = await render.recorder.wait(Self.patience) { [weak render] in
      (page.isLoaded && page.documentLoad != nil) || render?.failure != nil
    }
    page.network?.flush()
    guard isThere, let load = page.documentLoad else {
      page.view.stopLoading()
      throw VASTFetchFailure(.timedOut, "no answer within 5 s")
    }
    if let reason = load.failure { throw VASTFetchFailure(.unreachable, reason) }
    guard load.status < 400 else { throw VASTFetchFailure(.unreachable, "answered with status \(load.status)") }
    guard let bytes = await page.view.documentBytes() else { throw VASTFetchFailure(.unreachable, "gave no document") }
    return bytes
  }
}
