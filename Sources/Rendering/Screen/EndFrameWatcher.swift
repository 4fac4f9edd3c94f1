internal import Core
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Pictures what an ad comes to that moves by itself, where its time passes without waiting: its end frame, or where an
/// ad without one is when networks want it to stand still.
@WebKitActor struct EndFrameWatcher {
  /// When ads have to stand still (IAB New Ad Portfolio: 15 s of animation).
  private static let rest = Duration.seconds(15)
  /// When one that says how long it goes on is left all the same (Google Ads: 30 s).
  private static let latest = Duration.seconds(30)
  /// The part of the time allowed that one more screenshot is worth: a sixth of half a minute, in which a page that does
  /// three frames of work in one of the machine's gets there.
  static let share = 1.0 / 6

  /// Frames after which an engine whose pages draw nothing has stopped its display: it does after twenty.
  private static let idleFrames = 30

  let render: RenderContext
  /// When the ad was shown.
  let shown: Duration

  /// What the ad's page was like when it came to rest or didn't; nil where there is none to watch.
  private struct Beginning {
    let page: AdPage
    let screenshot: Bitmap
    let transitions: Int
  }

  /// Lets the ad go on, and takes the screenshot if it shows something else than the last one.
  ///
  /// - Parameter deadline: until when the machine may work on it.
  func follow(until deadline: ContinuousClock.Instant) async {
    guard let begin = beginning, await moves(begin.page) else { return }
    guard await comes(to: shown + Self.rest, since: begin, deadline) else { return warn(begin, deadline) }
    if let motion = try? await stability(of: begin.page).motion(), !motion.endless, motion.left > 0 {
      let end = min(render.clock.frame + Bounded.milliseconds(motion.left), shown + Self.latest)
      guard await comes(to: end, since: begin, deadline) else { return warn(begin, deadline) }
    }
    do {
      guard try await begin.page.screenshot(render.clock) != begin.screenshot, holds(begin) else { return }
      _ = try await render.capture.takeNow("end", state: render.activeState ?? .default, at: nil)
    } catch {
      guard render.failure == nil, !Task.isCancelled else { return }
      render.warnings.append("no screenshot of the end frame: \(error)")
    }
  }

  /// Only an ad that stands in its place: what it shows when it was opened is pictured then.
  private var beginning: Beginning? {
    guard render.clock.isVirtual, render.failure == nil, !render.capture.isFull,
      let page = render.stage.topAdPage, render.stage.topPage?.id == page.id,
      [.loading, .default].contains(render.activeState ?? .default), let screenshot = render.capture.lastAd
    else { return nil }
    return Beginning(page: page, screenshot: screenshot, transitions: render.transitions.count)
  }

  private func holds(_ begin: Beginning) -> Bool {
    render.failure == nil && !render.isOver && !Task.isCancelled && render.transitions.count == begin.transitions
      && render.stage.topPage?.id == begin.page.id
  }

  /// Whether an animation, an image or a film goes on, or scripts draw frame after frame; an ad that only waits isn't
  /// watched.
  private func moves(_ page: AdPage) async -> Bool {
    // Scripts that draw ask for the next frame in each; where nobody does, the engine goes on for a while all the same.
    for _ in 0..<Self.idleFrames where render.clock.awaitsFrame { try? await render.clock.nextFrame(of: page.view) }
    if render.clock.awaitsFrame || render.mayHaveMovingImage { return true }
    return (try? await stability(of: page).motion())?.isThere ?? false
  }

  private func stability(of page: AdPage) -> VisualStability { VisualStability(page: page, clock: render.clock) }

  /// Whether the ad gets there and stays where it is; false when the machine has worked on it for too long.
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
    render.warnings.append("the ad moves too slowly here to see how it ends; --timeout allows more time")
  }
}
