internal import AdManager
internal import AdResponses
internal import Core
internal import Creatives
internal import Hosting
internal import RenderModel

/// Response that is followed to its ads, with its break in a programme, if any.
struct ScheduledAds {
  let document: VASTDocument
  var adBreak: VMAPBreak?

  init(document: VASTDocument) { self.document = document }

  /// Creates the response of a break; nil for one without ads.
  init?(_ adBreak: VMAPBreak) {
    guard let response = adBreak.response else { return nil }
    document = response
    self.adBreak = adBreak
  }
}

extension AdLoader {
  /// Follows documents to their ads, loads their videos and the end card, and makes creatives of them.
  func buildVideos(_ responses: [ScheduledAds]) async throws -> [any Creative] {
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
      guard let overlay = overlays.first else { throw AdDescription.noAd(problems) }
      return [try await build(overlayOf: overlay)]
    }
    for overlay in overlays {
      context.warn("overlay \(overlay.id ?? "") isn't shown, because the response also has videos")
    }
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

  /// Builds the first overlay of an ad without a video, above a still image of a programme.
  private func build(overlayOf ad: ResolvedAd) async throws -> any Creative {
    if let (overlay, url) = InteractiveChoice.overlay(of: ad) { return try await build(overlay, at: url, of: ad) }
    guard let overlay = EndCard(overlayOf: ad) else { throw AdDescription.noAd([]) }
    let maker = EndCardMaker(pages: pages, tracker: tracker)
    do {
      context.bundle = context.bundle.showing(try maker.markup(of: overlay, ad))
      if context.render.job.measuresByOMID {
        await html.measure(ad.verifications, tracker: tracker) { [tracker] in tracker.address($0, of: ad) }
      }
      let creative = try await html.load()
      try await maker.check(overlay, of: ad, on: html.page)
      creative.onDisplay = { [weak tracker] in
        tracker?.track(TrackedEvent(.impression, beacons: ad.impressions))
        for event in [Event.Name.creativeView, .start] {
          let beacons = ad.nonLinearTracking.filter { $0.event == event.rawValue }.map(\.url)
          tracker?.track(TrackedEvent(event, beacons: beacons))
        }
      }
      creative.onClick = { [weak tracker] in
        tracker?.track(TrackedEvent(.click, beacons: overlay.companion.clickTracking))
      }
      describe(overlayOf: ad)
      return creative
    } catch {
      let reason = (error as? VASTProblem)?.message ?? AdError(error).description
      let problem = VASTProblem(.nonLinearFetch, "the overlay: \(reason)", beacons: ad.errors)
      tracker.track(problem)
      html.removePage()
      throw AdDescription.noAd([problem])
    }
  }

  /// Builds an interactive overlay above a programme.
  private func build(_ overlay: VASTNonLinear, at url: String, of ad: ResolvedAd) async throws -> any Creative {
    do throws(VASTProblem) {
      let creative = try await video.loadOverlay(overlay, at: url, of: ad)
      describe(overlayOf: ad, interactive: url)
      context.awaitShow()
      return creative
    } catch {
      // What a page of SIMID came to has been told.
      if !error.beacons.isEmpty || error.code == .nonLinearFetch { tracker.track(error) }
      throw AdDescription.noAd([error])
    }
  }

  /// Logs the facts about an ad without a video.
  private func describe(overlayOf ad: ResolvedAd, interactive: String? = nil) {
    let shown = interactive.map { context.addresses.display($0) }
    context.record(.vast, .ad, AdDescription.detail(ofOverlay: ad, interactive: shown))
    // Above a programme that an overlay of SIMID runs on nobody measures.
    if interactive != nil || !context.render.job.measuresByOMID { tellUnmeasured(ad.verifications) }
  }

  /// Logs the breaks of a schedule, including those without ads.
  func describe(_ schedule: VMAPDocument) {
    for flaw in schedule.flaws { describe(flaw, of: nil) }
    for adBreak in schedule.schedule { context.record(.vast, .break, AdDescription.detail(of: adBreak)) }
  }

  /// Loads the last video's end card, so that it doesn't cover the videos before it; nil if none can be shown.
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
      tracker?.track(TrackedEvent(.companionView, detail: detail, beacons: card.viewBeacons))
    }
    creative.onClick = { [weak tracker] in
      tracker?.track(TrackedEvent(.companionClick, detail: detail, beacons: card.companion.clickTracking))
    }
  }

  /// Logs a part of a response that was repaired or ignored; players tolerate it, but others may not.
  private func describe(_ flaw: VASTFlaw, of url: String?) {
    context.record(.vast, .flaw, AdDescription.detail(of: flaw, in: url.map { context.addresses.display($0) }))
  }

  /// Logs a departure of a response from the schema, which strict readers reject.
  private func describe(_ departure: VASTDeparture, of url: String?) {
    context.record(
      .vast, .departure, AdDescription.detail(of: departure, in: url.map { context.addresses.display($0) }))
  }

  /// Logs the facts about an ad, and its parts that aren't supported.
  private func describe(_ playedVideo: PlayedVideo) {
    let ad = playedVideo.ad
    guard let linear = ad.linear else { return }
    let detail = AdDescription.detail(
      of: ad, linear, media: playedVideo.media, duration: playedVideo.duration,
      isInteractive: playedVideo.interactive != nil, display: { context.addresses.display($0) })
    context.record(.vast, .ad, detail)
    for problem in AdDescription.filesNotRun(of: ad, linear) { tracker.track(problem) }
    if !context.render.job.measuresByOMID { tellUnmeasured(ad.verifications) }
    // Seeing as the industry counts it takes measuring code of its own.
    if !ad.viewable.isEmpty { tracker.track(TrackedEvent(.viewUndetermined, beacons: ad.viewable.undetermined)) }
    for overlay in ad.nonLinears {
      tracker.track(TrackedEvent(.nonLinear, detail: overlay.id.map { ["id": .string($0)] } ?? [:]))
    }
  }
}
