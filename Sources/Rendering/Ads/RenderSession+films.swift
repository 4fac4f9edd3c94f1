internal import AdManager
internal import AdResponses
internal import Core
internal import Creatives
internal import RenderModel

extension RenderSession {
  /// Follows a document to its ads, loads their films and the end card, and makes creatives of them.
  func buildFilms(_ document: VASTDocument) async throws -> [any Creative] {
    var loaded: [Film] = []
    var problems: [VASTProblem] = []
    let resolution = await VASTResolver.resolve(
      document, address: { [weak self] text, base in self?.address(text, base: base) ?? text },
      accept: { [weak self] ad in
        guard let self else { return false }
        do throws(VASTProblem) {
          loaded.append(try await loadFilm(ad, number: loaded.count + 1))
          describe(ad, loaded.count)
          return true
        } catch {
          problems.append(error)
          trackProblem(VASTProblem(error.code, error.message, beacons: ad.errors))
          return false
        }
      },
      fetch: { [weak self] (url) async throws(VASTFetchFailure) in
        guard let self else { throw VASTFetchFailure(.unreachable, "the render is over") }
        return try await fetchResponse(url)
      })
    for problem in resolution.problems { trackProblem(problem) }
    problems += resolution.problems
    for flaw in resolution.flaws { describe(flaw) }
    guard !loaded.isEmpty else { throw Self.noFilm(problems) }
    for (place, film) in loaded.dropLast().enumerated() { await loadCard(of: film, place: place + 1) }
    let endCard = await loadEndCard(of: loaded)
    // Without a page to hold it, what the film does waits for the first picture too.
    if endCard == nil { awaitShow() }
    return makeFilms(loaded, before: endCard) + (endCard.map { [$0] } ?? [])
  }

  private static func noFilm(_ problems: [VASTProblem]) -> AdError {
    guard let last = problems.last else { return AdError("the response has no ad", code: "no-ad") }
    return AdError("\(last.message) (VAST error \(last.code.rawValue))", code: "vast-error")
  }

  /// The films, each with its own end card after it where others follow.
  private func makeFilms(_ films: [Film], before endCard: HTMLCreative?) -> [any Creative] {
    films.enumerated().flatMap { (place, film) -> [any Creative] in
      let settings = VideoSettings(
        isInterstitial: isInterstitial, isMuted: !isInterstitial,
        isLast: endCard == nil && place == films.count - 1,
        media: VideoMedia(url: film.media.url, type: film.media.type), place: place + 1, count: films.count)
      let creative = VideoCreative(
        plan: TrackingPlan(ad: film.ad, duration: film.duration ?? 0), settings: settings, displayView: film.view,
        host: self)
      film.creative = creative
      return [creative] + (video.cards[cardView(place + 1)].map { [$0] } ?? [])
    }
  }

  /// Loads the last film's end card, lest it covers the films before it; nil where there is none that can be shown.
  private func loadEndCard(of films: [Film]) async -> HTMLCreative? {
    for film in films {
      if let problem = CompanionChoice.problem(with: film.ad.companions, required: film.ad.requiredCompanions) {
        trackProblem(VASTProblem(problem.code, problem.message, beacons: film.ad.errors))
      }
    }
    for film in films {
      guard let problem = CompanionChoice.unsupported(film.ad.companions) else { continue }
      trackProblem(VASTProblem(problem.code, problem.message, beacons: film.ad.errors))
    }
    guard let ad = films.last?.ad, let card = EndCard(of: ad, width: placement.width, height: placement.height) else {
      return nil
    }
    do {
      bundle = bundle.showing(try page(around: card, of: ad))
      let creative = try await loadPage()
      try await checkCard(card, of: ad, on: stage.pages[views.page])
      let detail: [String: JSONValue] = films.count > 1 ? ["ad": .number(Double(films.count))] : [:]
      creative.onDisplay = { [weak self] in
        self?.track(TrackedEvent("companionView", detail: detail, beacons: card.viewBeacons))
      }
      creative.onClick = { [weak self] in
        self?.track(TrackedEvent("companionClick", detail: detail, beacons: card.companion.clickTracking))
      }
      return creative
    } catch let problem as VASTProblem {
      trackProblem(problem)
      return nil
    } catch {
      trackProblem(VASTProblem(.companionFetch, "the end card: \(AdError(error).description)", beacons: ad.errors))
      creative = nil
      stage.remove(views.page)
      return nil
    }
  }

  /// Notes what of a response was mended or passed over; players put up with it, and others may not.
  private func describe(_ found: VASTResolution.Flaw) {
    var detail: [String: JSONValue] = [
      "line": .number(Double(found.flaw.line)), "message": .string(found.flaw.reason),
    ]
    detail["url"] = found.url.map { .string(addresses.display($0)) }
    recorder.record(.vast, "flaw", named(.object(detail)))
  }

  /// Notes what is known of an ad, and what of it isn't done.
  private func describe(_ ad: ResolvedAd, _ place: Int) {
    guard let film = video.films.values.first(where: { $0.ad == ad }), let linear = ad.linear else { return }
    var detail: [String: JSONValue] = [
      "media": .string(addresses.display(film.media.url)), "type": .string(film.media.type),
      "duration": .number(film.duration ?? 0), "version": .string(ad.version),
    ]
    detail["id"] = ad.id.map { .string($0) }
    detail["title"] = ad.inLine.title.map { .string($0) }
    detail["skip"] = linear.skipOffset?.seconds(of: film.duration).map { .number($0) }
    if !ad.wrappers.isEmpty { detail["wrappers"] = .array(ad.wrappers.map { .string($0) }) }
    if !ad.extensions.isEmpty { detail["extensions"] = .array(ad.extensions.map { .string($0.xml) }) }
    recorder.record(.vast, "ad", named(.object(detail)))
    describeUnused(ad, linear)
  }

  private func describeUnused(_ ad: ResolvedAd, _ linear: VASTLinear) {
    for file in linear.interactiveFiles {
      let message = "\(file.apiFramework ?? "an interactive file") \(file.url) isn't run; the film is"
      trackProblem(VASTProblem(.interactiveNotExecuted, message, beacons: ad.errors))
    }
    for verification in ad.verifications {
      var detail: [String: JSONValue] = ["resources": .array(verification.resources.map { .string($0) })]
      detail["vendor"] = verification.vendor.map { .string($0) }
      // 2: measuring code isn't supported at all.
      track(
        TrackedEvent(
          "verificationNotExecuted", detail: detail, beacons: verification.notExecuted, macros: ["REASON": "2"]))
    }
    // Seeing as the industry counts it takes measuring code of its own.
    if !ad.viewable.isEmpty { track(TrackedEvent("viewUndetermined", beacons: ad.viewable.undetermined)) }
    for overlay in ad.nonLinears {
      track(TrackedEvent("nonLinear", detail: overlay.id.map { ["id": .string($0)] } ?? [:]))
    }
  }

  func trackProblem(_ problem: VASTProblem) {
    let code = String(problem.code.rawValue)
    track(
      TrackedEvent(
        "error", detail: ["code": .number(Double(problem.code.rawValue)), "message": .string(problem.message)],
        beacons: problem.beacons, macros: ["ERRORCODE": code]))
  }

  /// An address of an ad's, relative to where its document came from.
  func address(_ text: String, of ad: ResolvedAd) -> String { address(text, base: ad.address) }

  private func address(_ text: String, base: String?) -> String {
    let replaced = tracking.address(text, afterResponses: video.responses)
    let first = responseAddress ?? addresses.url(ofFile: "ad.xml")
    return PageAddresses.resolve(replaced, against: base ?? first) ?? replaced
  }
}
