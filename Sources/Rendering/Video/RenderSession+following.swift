internal import AdExperience
internal import Jobs
internal import MRAID
internal import VAST
internal import WebKitRuntime

extension RenderSession {
  /// Lets films play to their end where nobody says what else to do; pictures each half-way, and what is there then.
  func followFilms(until deadline: ContinuousClock.Instant) async {
    // A clock that is stepped doesn't make films play.
    guard !video.films.isEmpty, !clock.isVirtual else { return }
    var pictured = 0
    while failure == nil, !filmsAreOver {
      let isInTime = await holdFilms(deadline - ContinuousClock.now) { [weak self] in
        guard let self else { return true }
        return failure != nil || filmsAreOver || waitsAtCard || recorder.count(Self.midpoint) > pictured
      }
      guard isInTime else {
        warnings.append("the film wasn't over when the time allowed was; --timeout allows more")
        break
      }
      if recorder.count(Self.midpoint) > pictured {
        pictured += 1
        requestPicture("midpoint")
      }
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

  private static let midpoint = EventPattern(source: .vast, name: "midpoint")
}
