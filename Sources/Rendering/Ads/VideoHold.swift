internal import RenderModel
internal import WebKitRuntime

/// Has all films of a render stand still while somebody looks at a moment of them.
///
/// So a picture is of one moment, and what a scenario's step finds doesn't depend on how long the one before took.
@WebKitActor final class VideoHold {
  private let recorder: Recorder
  /// The ads that may have films, in an order that is always the same.
  var ads: () -> [VideoAd] = { [] }
  /// How many want films to stand still.
  private var holds = 0
  /// Whether they have been told to, and haven't all answered.
  private var areStopped = false
  private var areStopping = false

  init(recorder: Recorder) { self.recorder = recorder }

  /// Whether somebody looks; nothing is heard of how films go on meanwhile.
  var areHeld: Bool { holds > 0 }

  /// Lets films stand still, at the moment told last where that was just now, until as many have let them go again.
  func hold() async {
    holds += 1
    await stop()
  }

  /// Waits until something is so, and holds films from the very turn in which it is; false when time was over.
  ///
  /// - Parameter deadline: an instant of the machine's time, whichever time films go on in.
  func hold(
    _ timeout: Duration? = nil, until deadline: ContinuousClock.Instant? = nil,
    when isSo: @escaping @WebKitActor () -> Bool
  ) async -> Bool {
    let comes = await recorder.wait(timeout, deadline: deadline) { [weak self] in
      guard isSo() else { return false }
      self?.holds += 1
      return true
    }
    if comes { await stop() }
    return comes
  }

  /// Returns once the films stand still, whoever was the first to want it.
  private func stop() async {
    if areStopping { _ = await recorder.wait(.seconds(2)) { [weak self] in self?.areStopping != true } }
    guard holds > 0, !areStopped else { return }
    (areStopped, areStopping) = (true, true)
    for ad in adsWithVideos { await ad.hold() }
    areStopping = false
    recorder.wakeWaiters()
  }

  /// Lets films go on, where nobody else looks at them.
  func release() async {
    holds -= 1
    guard holds == 0 else { return }
    areStopped = false
    for ad in adsWithVideos { await ad.release() }
  }

  /// The same where nobody waits for it.
  func releaseVideos() {
    Task { @WebKitActor [weak self] in await self?.release() }
  }

  private var adsWithVideos: [VideoAd] { ads().filter(\.hasVideos) }
}
