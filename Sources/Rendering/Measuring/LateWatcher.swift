internal import Core
internal import Engine
internal import Foundation
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel

/// Observes an ad for a minute of its own time without user actions, after everything else in a render has been done.
@EngineActor struct LateWatcher {
  let render: RenderContext

  /// Maximum machine time of the observation.
  private static let patience = Duration.seconds(10)
  /// Interval between two checks for audible sound.
  private static let interval = Duration.seconds(5)

  /// Watches until the minute is over, the ad is gone or the machine has taken too long; nil if the ad can't be
  /// watched.
  func watch(until last: ContinuousClock.Instant) async -> LateWatch? {
    guard render.clock.isVirtual, render.failure == nil, render.recorder.now < LateWatch.end else { return nil }
    render.flushNetwork()
    let deadline = min(ContinuousClock.now + Self.patience, last)
    var watch = LateWatch(
      firstEvent: render.recorder.events.count, from: render.recorder.now, until: render.recorder.now)
    var heard = Set(await audible())
    var look = LateLook(render: render, state: render.activeState)
    watch.lastChange = await look.change()
    while goesOn, ContinuousClock.now < deadline, render.recorder.now < LateWatch.end {
      let left = Bounded.milliseconds(LateWatch.end - render.recorder.now)
      _ = await render.recorder.wait(min(Self.interval, left), deadline: deadline) { !goesOn }
      for selector in await audible() where heard.insert(selector).inserted {
        watch.sounds.append(LateWatch.Sound(t: render.recorder.now, selector: selector))
      }
      watch.lastChange = await look.change() ?? watch.lastChange
    }
    guard render.failure == nil else { return nil }
    render.flushNetwork()
    watch.until = render.recorder.now
    return watch
  }

  private var goesOn: Bool { render.failure == nil && !render.isOver && !Task.isCancelled }

  /// Selectors of videos and sounds that can be heard now.
  private func audible() async -> [String] {
    guard goesOn, let page = render.stage.topAdPage else { return [] }
    let document = await PageAuditor(render: render).document(of: page)
    return document?.media.filter { $0.isPlaying && $0.isAudible }.map(\.selector) ?? []
  }
}

/// Checks at intervals if an ad without user actions still moves, as by scripts and videos that the document doesn't
/// reveal.
@EngineActor private struct LateLook {
  let render: RenderContext
  /// State of the ad when the observation began.
  let state: MRAIDState?
  private var last: (screenshot: Bitmap, t: Double)?

  /// Milliseconds of the render after which movement doesn't matter to any check.
  private static let longest = 31_500.0
  private static let frames = 4
  private static let interval = Duration.milliseconds(200)

  init(render: RenderContext, state: MRAIDState?) {
    self.render = render
    self.state = state
  }

  /// Milliseconds of the last change since the previous look, as late as is certain; nil if none was seen.
  mutating func change() async -> Double? {
    var found: Double?
    for frame in 0..<Self.frames {
      guard render.recorder.now < Self.longest, render.activeState == state, render.failure == nil, !render.isOver,
        let page = render.stage.topAdPage, let screenshot = try? await page.screenshot(render.clock)
      else { return found }
      let now = render.recorder.now
      if let last, last.screenshot != screenshot { found = frame == 0 ? last.t : now }
      last = (screenshot, now)
      if frame > 0, found == now { return now }
      await render.clock.sleep(for: Self.interval)
    }
    return found
  }
}
