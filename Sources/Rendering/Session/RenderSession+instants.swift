internal import AdExperience
internal import Core
internal import Jobs
internal import MRAID
internal import Pixels
internal import Stage

extension RenderSession {
  /// Takes what was asked for at instants since this frame, in which the ad was shown, and writes the filmstrip.
  func take(_ captures: Captures, to folder: OutputFolder) async throws(Fault) {
    let shown = clock.frame
    var strip = captures.filmstrip.map { FilmstripWriter($0, scale: job.device.renderScale) }
    for moment in captures.moments {
      await clock.comes(to: shown + Bounded.seconds(moment.seconds))
      guard failure == nil else { return }
      do {
        if let ad = try await picture(moment), moment.isFrame { strip?.add(ad, at: moment.seconds) }
      } catch {
        warnings.append("no picture at \(moment.seconds.plain) s: \(error)")
      }
    }
    guard let strip else { return }
    filmstrip = try await clock.hold { () async throws(Fault) in try await strip.write(to: folder.path) }
  }

  /// The ad alone as it is now, which is kept as a picture where that was asked for.
  private func picture(_ moment: Captures.Moment) async throws -> Bitmap? {
    let name = "at-\(moment.seconds.plain)s"
    let state = creative?.session.state ?? .default
    return try await photographer.takeNow(moment.isPicture ? name : nil, state: state, at: moment.seconds)
  }
}
