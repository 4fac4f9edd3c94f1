internal import Core
internal import Engine
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Takes a screenshot of an animated ad's end frame, in virtual time.
///
/// If an ad has no end frame, it is taken at the time at which ad networks require animation to stop.
@EngineActor struct EndFrameWatcher {
  /// Time after which ads have to stand still (IAB New Ad Portfolio: 15 s of animation).
  private static let rest = Duration.seconds(15)
  /// Time after which an ad that states its duration is no longer watched (Google Ads: 30 s).
  private static let latest = Duration.seconds(30)
  /// Share of the render's time limit that one more screenshot is worth.
  ///
  /// It is a sixth of half a minute, which suffices if the machine needs the time of one frame for three frames of the
  /// page.
  static let share = 1.0 / 6

  /// Number of frames after which an engine whose pages draw nothing has stopped its display, which it does after 20.
  private static let idleFrames = 30

  let render: RenderContext
  /// Timestamp at which the ad was shown.
  let shown: Duration

  /// State of the ad's page when the render began to watch it.
  private struct Beginning {
    let page: AdPage
    let screenshot: Bitmap
    let transitions: Int
  }

  /// Lets the ad continue, and takes the screenshot if it differs from the last one.
  ///
  /// - Parameter deadline: the machine instant until which it may take.
  func follow(until deadline: ContinuousClock.Instant) async {
    guard let begin = beginning, await moves(begin.page) else { return }
    guard await comes(to: shown + Self.rest, since: begin, deadline) else { return warn(begin, deadline) }
    if let motion = try? await stability(of: begin.page).motion(), !motion.endless, motion.left > 0 {
      let end = min(render.clock.frame + Bounded.milliseconds(motion.left), shown + Self.latest)
      guard await comes(to: end, since: begin, deadline) else { return warn(begin, deadline) }
    }
    do {
      guard try await begin.page.screenshot(render.clock) != begin.screenshot, holds(begin) else { return }
      _ = try await render.capturer.captureNow("end", state: render.activeState ?? .default, at: nil)
    } catch {
      guard render.failure == nil, !Task.isCancelled else { return }
      render.fail(.screenshot("no screenshot of the end frame", error))
    }
  }

  /// State of the ad at its start; nil if there is no ad to watch.
  ///
  /// An opened ad isn't watched: its screenshot was taken when it was opened.
  private var beginning: Beginning? {
    guard render.clock.isVirtual, render.failure == nil, !render.capturer.isFull,
      let page = render.stage.topAdPage, render.stage.topPage?.id == page.id,
      [.loading, .default].contains(render.activeState ?? .default), let screenshot = render.capturer.lastAd
    else { return nil }
    return Beginning(page: page, screenshot: screenshot, transitions: render.transitions.count)
  }

  private func holds(_ begin: Beginning) -> Bool {
    render.failure == nil && !render.isOver && !Task.isCancelled && render.transitions.count == begin.transitions
      && render.stage.topPage?.id == begin.page.id
  }

  /// Indicates if an animation, an image or a video is moving or scripts draw frame after frame; an idle ad isn't
  /// watched.
  private func moves(_ page: AdPage) async -> Bool {
    // Scripts that draw ask for the next frame in each; where nobody does, the engine goes on for a while all the same.
    for _ in 0..<Self.idleFrames where render.clock.awaitsFrame { try? await render.clock.nextFrame(of: page.view) }
    if render.clock.awaitsFrame || render.mayHaveMovingImage { return true }
    return (try? await stability(of: page).motion())?.isThere ?? false
  }

  private func stability(of page: AdPage) -> VisualStability { VisualStability(page: page, clock: render.clock) }

  /// Returns true if the ad reaches the instant in an unchanged state; false also when the machine has taken too long.
  private func comes(
    to instant: Duration, since begin: Beginning, _ deadline: ContinuousClock.Instant
  ) async -> Bool {
    let left = instant - render.clock.frame
    guard left > .zero else { return holds(begin) }
    _ = await render.recorder.wait(left, deadline: deadline) { !holds(begin) }
    return holds(begin) && render.clock.frame >= instant
  }

  private func warn(_ begin: Beginning, _ deadline: ContinuousClock.Instant) {
    guard holds(begin), ContinuousClock.now >= deadline else { return }
    render.warnings.append("the ad moves too slowly on this machine to reach its end; use a longer timeout")
  }
}
