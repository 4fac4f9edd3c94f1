internal import Engine
internal import Hosting
internal import RenderModel

/// Holds all videos of a render, for screenshots and steps of a scenario.
///
/// So a screenshot shows a single moment, and the result of a step doesn't depend on the duration of the one before.
@EngineActor final class VideoPauser {
  private let recorder: Recorder
  /// Ads that may have videos, always in the same order.
  var ads: () -> [VideoAd] = { [] }
  /// Number of callers that hold the videos.
  private var holds = 0
  /// Indicates that the videos were told to stop; `areStopping` indicates that not all have answered.
  private var areStopped = false
  private var areStopping = false

  init(recorder: Recorder) { self.recorder = recorder }

  /// Indicates that the videos are held; their progress is ignored meanwhile.
  var areHeld: Bool { holds > 0 }

  /// Holds the videos, at the last reported position if it was reported just now, until each hold has been released.
  func hold() async {
    holds += 1
    await stop()
  }

  /// Waits for a condition and holds the videos from the turn in which it is met; false on timeout.
  ///
  /// - Parameter deadline: an instant of the machine's time, independent of the time of the videos.
  func hold(
    _ timeout: Duration? = nil, until deadline: ContinuousClock.Instant? = nil,
    when isSo: @escaping @EngineActor () -> Bool
  ) async -> Bool {
    let comes = await recorder.wait(timeout, deadline: deadline) { [weak self] in
      guard isSo() else { return false }
      self?.holds += 1
      return true
    }
    if comes { await stop() }
    return comes
  }

  /// Returns once the videos stand still, also if another caller stopped them.
  private func stop() async {
    if areStopping { _ = await recorder.wait(.seconds(2)) { [weak self] in self?.areStopping != true } }
    guard holds > 0, !areStopped else { return }
    (areStopped, areStopping) = (true, true)
    for ad in adsWithVideos { await ad.hold() }
    areStopping = false
    recorder.wakeWaiters()
  }

  /// Releases one hold; the videos go on if it was the last.
  func release() async {
    holds -= 1
    guard holds == 0 else { return }
    areStopped = false
    for ad in adsWithVideos { await ad.release() }
  }

  /// Releases one hold without waiting for the videos.
  func releaseVideos() {
    Task { @EngineActor [weak self] in await self?.release() }
  }

  private var adsWithVideos: [VideoAd] { ads().filter(\.hasVideos) }
}
