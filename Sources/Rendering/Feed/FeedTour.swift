internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Feed
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Goes through a feed as a person does, stops on the way, and pictures what is there.
@WebKitActor final class FeedTour {
  private let render: RenderContext
  private let window: FeedWindow
  private let cells: FeedCells
  /// In which ads wait for their turn to load.
  private let line: AdLoadQueue
  private let watch: FeedAdWatch
  private let stability: StabilityWaiter
  /// Stops pictured so far.
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

  /// The feed at its top, with its first picture.
  func begin() async throws(Fault) {
    line.hold()
    cells.updateVisibility()
    try await stop()
  }

  /// Goes down the feed a window at a time, to its end; films on the way are watched while there is time.
  func scrollThrough(until deadline: ContinuousClock.Instant) async throws(Fault) {
    while window.offset < window.offset(nearest: .infinity), render.failure == nil {
      try await scroll(to: window.offset + window.height)
      try await stop()
      try await followVideos(until: deadline)
    }
  }

  /// How far the feed moves at a time while it is scrolled, as a share of its window.
  private static let stride = 0.25

  /// Scrolls as a finger does: past everything on the way, and as far as the feed goes.
  ///
  /// Every ad has heard what can be seen of it before the feed moves on, lest it be chance how often it hears. What comes
  /// near is asked for; it loads when the feed has come to its stop.
  func scroll(to wanted: Double) async throws(Fault) {
    let goal = window.offset(nearest: wanted)
    render.recorder.record(.host, "scroll", ["to": .number(goal)])
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

  /// Pictures a stop, first with what still loads; a cell that fails may change what there is to see.
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

  /// A picture of the screen with every ad on it at rest, films at the moment told last.
  private func screenshot(_ name: String) async throws(Fault) {
    await render.playedVideos.hold()
    defer { render.playedVideos.releaseVideos() }
    do {
      try await watch.tryAgainAfterLosses(stability) {
        for page in render.stage.pagesOnScreen {
          _ = try await VisualStability(page: page, clock: render.clock).settle()
        }
        render.flushNetwork()
        try await render.capture.takeScreenshot(name, state: render.activeState ?? .default)
      }
    } catch {
      guard render.failure == nil else { return }
      throw .engine("screenshot-failed", "no picture \(name): \(error)")
    }
  }

  /// Stays where films are on the screen until they are over, as somebody does who watches; with pictures on the way.
  ///
  /// Half of the time that is left belongs to what comes further down.
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
        return render.warnings.append("a film in the feed wasn't watched to its end; --timeout allows more")
      }
      let isHalfWay = tour.takesMidpoints(at: visibleVideos)
      guard await stability.waitUntilIdle(.seconds(30)) else { return }
      try await screenshot("feed-\(stops)-\(isHalfWay ? "midpoint" : "video-end")")
    }
  }

  private var visibleVideos: VideoTour.Sight {
    VideoTour.Sight(midpoints: render.midpoints, areOver: runningVideos.isEmpty)
  }

  /// Films that a person sees and that aren't over.
  private var runningVideos: [PlayedVideo] {
    cells.inSight.flatMap { Array($0.video.playedVideos.values) }
      .filter { $0.isWanted && !$0.isAtRest }
  }

  /// The tallest picture, in dip; what is below it is cut off.
  private static let tallest = 20_000.0

  /// One picture of the whole feed, put together of what its window shows on the way down.
  func screenshotWhole() async throws(Fault) {
    let height = window.geometry.height
    guard let document = window.document, render.modalManager.stack.states.isEmpty, height > 0 else { return }
    if height > Self.tallest {
      render.warnings.append("the picture of the whole feed ends at \(Self.tallest.plain) dip")
    }
    await render.playedVideos.hold()
    defer { render.playedVideos.releaseVideos() }
    do {
      var whole: Bitmap?
      try await watch.tryAgainAfterLosses(stability) { whole = try await wholeScreenshot(document) }
      if let whole { render.capture.keep(whole, as: "whole-feed") }
    } catch {
      guard render.failure == nil else { return }
      throw .engine("screenshot-failed", "no picture of the whole feed: \(error)")
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
