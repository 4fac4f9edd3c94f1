internal import AdManager
internal import AdResponses
internal import Core
internal import RenderModel

extension RenderSession {
  /// Lets films play to their end where nobody says what else to do; pictures each half-way, and what is there then.
  func followFilms(until deadline: ContinuousClock.Instant) async {
    // A clock that is stepped doesn't make films play.
    guard !video.films.isEmpty, !clock.isVirtual else { return }
    var tour = FilmTour()
    while failure == nil, !filmsAreOver {
      let isInTime = await holdFilms(deadline - ContinuousClock.now) { [weak self] in
        guard let self else { return true }
        return failure != nil || tour.stops(at: filmsInSight)
      }
      guard isInTime else {
        warnings.append("the film wasn't over when the time allowed was; --timeout allows more")
        break
      }
      if tour.takesMidpoint(at: filmsInSight) { requestPicture("midpoint") }
      _ = await becomesQuiet()
      await releaseFilms()
      guard waitsAtCard else { continue }
      // Somebody who wants to see the next film closes the card before it.
      recorder.record(.host, "close")
      _ = manager.closeTopmost()
    }
    guard failure == nil else { return }
    _ = await becomesQuiet()
    if let view = manager.currentCreative?.displayView, video.films[view] != nil { requestPicture("film-over") }
  }

  private var waitsAtCard: Bool { manager.currentCreative is CompanionCreative }

  private var filmsAreOver: Bool { video.films.values.allSatisfy { $0.creative?.playback.isOver ?? true } }

  private var filmsInSight: FilmTour.Sight {
    FilmTour.Sight(midpoints: midpoints, areOver: filmsAreOver, waitsAtCard: waitsAtCard)
  }
}

extension FeedSession {
  /// Stays where films are on the screen until they are over, as somebody does who watches; with pictures on the way.
  ///
  /// Half of the time that is left belongs to what comes further down.
  func followFilms(until deadline: ContinuousClock.Instant) async throws(Fault) {
    // A clock that is stepped doesn't make films play.
    guard !session.clock.isVirtual, !runningFilms.isEmpty else { return }
    var tour = FilmTour(after: session.midpoints)
    let longest = ContinuousClock.now + (deadline - ContinuousClock.now) / 2
    while session.failure == nil, !runningFilms.isEmpty {
      let isInTime = await session.recorder.wait(longest - ContinuousClock.now) { [weak self] in
        guard let self else { return true }
        return session.failure != nil || tour.stops(at: filmsInSight)
      }
      guard session.failure == nil else { return }
      guard isInTime else {
        return session.warnings.append("a film in the feed wasn't watched to its end; --timeout allows more")
      }
      let isHalfWay = tour.takesMidpoints(at: filmsInSight)
      guard await session.becomesQuiet(.seconds(30)) else { return }
      try await picture("feed-\(stops)-\(isHalfWay ? "midpoint" : "film-over")")
    }
  }

  private var filmsInSight: FilmTour.Sight {
    FilmTour.Sight(midpoints: session.midpoints, areOver: runningFilms.isEmpty)
  }

  /// Films that a person sees and that aren't over.
  private var runningFilms: [Film] {
    ads.filter { isInSight($0) }.compactMap(\.session).flatMap { Array($0.video.films.values) }
      .filter { $0.isWanted && $0.creative?.playback.isOver == false }
  }
}
