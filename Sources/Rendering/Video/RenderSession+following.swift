internal import AdExperience
internal import Jobs
internal import MRAID
internal import VAST
internal import WebKitRuntime

extension RenderSession {
  /// Lets films play to their end where nobody says what else to do, and pictures what is there then.
  func followFilms(until deadline: ContinuousClock.Instant) async {
    // A clock that is stepped doesn't make films play.
    guard !films.isEmpty, !clock.isVirtual else { return }
    let left = deadline - ContinuousClock.now
    let areOver = await recorder.wait(left) { [weak self] in
      self?.failure != nil || self?.films.values.allSatisfy { $0.creative?.playback.isOver ?? true } ?? true
    }
    guard failure == nil else { return }
    if !areOver { warnings.append("the film wasn't over when the time allowed was; --timeout allows more") }
    _ = await becomesQuiet()
    if let view = manager.currentCreative?.displayView, films[view] != nil { requestPicture("film-over") }
  }
}
