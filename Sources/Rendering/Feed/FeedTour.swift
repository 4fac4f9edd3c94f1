internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Engine
internal import Feed
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Scrolls through a feed as a user does, stops on the way and takes screenshots.
@EngineActor final class FeedTour {
  private let render: RenderContext
  private let window: FeedWindow
  private let cells: FeedCells
  /// Queue of ads that wait to load.
  private let line: AdLoadQueue
  private let watch: FeedAdWatch
  private let stability: StabilityWaiter
  /// Number of stops so far.
  private var stops = 0

  init(
    _ render: RenderContext, _ window: FeedWindow, _ cells: FeedCells, line: AdLoadQueue, watch: FeedAdWatch,
    stability: StabilityWaiter
  ) {
    self.render = render
    self.window = window
    self.cells = cells
    self.line = line
    self.watch = watch
    self.stability = stability
  }

  /// Shows the feed at its top and takes its first screenshot.
  func begin() async throws(Fault) {
    line.hold()
    cells.updateVisibility()
    try await stop()
  }

  /// Scrolls through the feed to its end, one window height at a time; videos on the way are watched while there is
  /// time.
  func scrollThrough(until deadline: ContinuousClock.Instant) async throws(Fault) {
    while window.offset < window.offset(nearest: .infinity), render.failure == nil {
      try await scroll(to: window.offset + window.height)
      try await stop()
      try await followVideos(until: deadline)
    }
  }

  /// Distance of one step while the feed is scrolled, as a share of its window.
  private static let stride = 0.25

  /// Scrolls as a finger does: past everything on the way, and not beyond the feed's end.
  ///
  /// Every ad has received its visibility before the feed moves on, so that the number of reports is always the same.
  /// Ads that come near are requested, and load when the feed has come to its stop.
  func scroll(to wanted: Double) async throws(Fault) {
    let goal = window.offset(nearest: wanted)
    render.recorder.record(.host, .scroll, ["to": .number(goal)])
    line.hold()
    let step = (window.height * Self.stride).rounded(.up)
    for next in ScrollPath.offsets(from: window.offset, to: goal, step: step) {
      // Rotation stops just before an ad leaves, not after.
      cells.updateVisibility(goingTo: next)
      try await window.scroll(to: next)
      cells.notifyAds()
      cells.updateVisibility()
      _ = await render.recorder.wait(.seconds(5)) { [cells] in cells.areTold }
    }
  }

  /// Takes screenshots of a stop, first with its loading indicators; a cell that fails may change the content.
  func stop() async throws(Fault) {
    stops += 1
    if cells.showIndicator {
      _ = await render.recorder.wait(.seconds(5)) { [window] in window.pendingChanges == 0 }
      try await screenshot("feed-\(stops)-loading")
    }
    line.release()
    guard await stability.waitUntilIdle(.seconds(30)) else { return }
    try await screenshot("feed-\(stops)")
  }

  /// Takes a screenshot with every ad on the screen at rest, and videos at the position they last reported.
  private func screenshot(_ name: String) async throws(Fault) {
    await render.playedVideos.hold()
    defer { render.playedVideos.releaseVideos() }
    do {
      try await watch.tryAgainAfterLosses(stability) {
        for page in render.stage.pagesOnScreen {
          _ = try await VisualStability(page: page, clock: render.clock).settle()
        }
        render.flushNetwork()
        try await render.capturer.capture(name, state: render.activeState ?? .default)
      }
    } catch {
      guard render.failure == nil else { return }
      throw .screenshot("no screenshot \(name)", error)
    }
  }

  /// Stays at videos on the screen until they are over, and takes screenshots meanwhile.
  ///
  /// Half of the remaining time is left for the rest of the feed.
  private func followVideos(until deadline: ContinuousClock.Instant) async throws(Fault) {
    // A clock that is stepped doesn't make films play.
    guard !render.clock.isVirtual, !runningVideos.isEmpty else { return }
    var tour = VideoTour(after: render.midpoints)
    let longest = ContinuousClock.now + (deadline - ContinuousClock.now) / 2
    while render.failure == nil, !runningVideos.isEmpty {
      let isInTime = await render.recorder.wait(longest - ContinuousClock.now) { [self] in
        render.failure != nil || tour.stops(at: visibleVideos)
      }
      guard render.failure == nil else { return }
      guard isInTime else {
        return render.warnings.append("a video in the feed wasn't watched to its end; use a longer timeout")
      }
      let isHalfWay = tour.takesMidpoints(at: visibleVideos)
      guard await stability.waitUntilIdle(.seconds(30)) else { return }
      try await screenshot("feed-\(stops)-\(isHalfWay ? "midpoint" : "video-end")")
    }
  }

  private var visibleVideos: VideoTour.Sight {
    VideoTour.Sight(midpoints: render.midpoints, areOver: runningVideos.isEmpty)
  }

  /// Videos that are visible and not over.
  private var runningVideos: [PlayedVideo] {
    cells.inSight.flatMap { Array($0.video.playedVideos.values) }
      .filter { $0.isWanted && !$0.isAtRest }
  }

  /// Maximum height of the screenshot in dip; content below it is cut off.
  private static let tallest = 20_000.0

  /// Takes one screenshot of the whole feed, composed of the content of its window on the way down.
  func screenshotWhole() async throws(Fault) {
    let height = window.geometry.height
    guard let document = window.document, render.modalManager.stack.states.isEmpty, height > 0 else { return }
    if height > Self.tallest {
      render.warnings.append("the screenshot of the whole feed ends at \(Self.tallest.plain) dip")
    }
    await render.playedVideos.hold()
    defer { render.playedVideos.releaseVideos() }
    do {
      var whole: Bitmap?
      try await watch.tryAgainAfterLosses(stability) { whole = try await wholeScreenshot(document) }
      if let whole { render.capturer.add(whole, as: "whole-feed") }
    } catch {
      guard render.failure == nil else { return }
      throw .screenshot("no screenshot of the whole feed", error)
    }
  }

  private func wholeScreenshot(_ document: FeedDocument) async throws -> Bitmap {
    let screen = render.stage.screen
    let scale = Double(screen.device.renderScale)
    let height = min(window.geometry.height, Self.tallest)
    let size = screen.pixelFrame(of: Rect(x: 0, y: 0, width: screen.contentArea.width, height: height))
    var whole = Bitmap(width: size.width, height: size.height, fill: .white)
    for at in Swift.stride(from: 0, to: height, by: window.height) {
      let shown = window.offset(nearest: at)
      try await document.scroll(to: shown)
      try await render.clock.nextFrame(of: document.page.view)
      whole.blit(
        try await document.page.screenshot(render.clock), x: 0, y: Bounded.int(shown * scale, in: 0...1_000_000))
    }
    try await document.scroll(to: window.offset)
    for view in screen.feed?.shown ?? [] {
      guard let frame = screen.feed?.slots[view], let page = render.stage.pages[view] else { continue }
      let place = screen.pixelFrame(of: frame)
      whole.blit(try await page.screenshot(render.clock), x: place.x, y: place.y)
    }
    return whole
  }
}
