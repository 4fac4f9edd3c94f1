internal import AdManager
internal import Core
internal import Device
internal import Feed
internal import MRAID
internal import Pixels

extension FeedSession {
  /// The feed at its top, with its first picture.
  func show() async throws(Fault) {
    line.hold()
    lookAtCells()
    try await stop()
  }

  /// Goes down the feed a window at a time, to its end; films on the way are watched while there is time.
  func tour(until deadline: ContinuousClock.Instant) async throws(Fault) {
    while offset < geometry.offset(nearest: .infinity, height: windowHeight), render.failure == nil {
      try await scroll(to: offset + windowHeight)
      try await stop()
      try await followFilms(until: deadline)
    }
  }

  /// Pictures a stop, first with what still loads; a cell that fails may change what there is to see.
  func stop() async throws(Fault) {
    stops += 1
    if showsIndicator {
      _ = await render.recorder.wait(.seconds(5)) { [weak self] in self?.pendingChanges == 0 }
      try await picture("feed-\(stops)-loading")
    }
    line.release()
    guard await stability.becomesQuiet(.seconds(30)) else { return }
    try await picture("feed-\(stops)")
  }

  /// A picture of the screen with every ad on it at rest, films at the moment told last.
  func picture(_ name: String) async throws(Fault) {
    await render.films.hold()
    defer { render.films.letGo() }
    do {
      try await tryAgainAfterLosses {
        for page in render.stage.pagesOnScreen { _ = try await Settling(page: page, clock: render.clock).settle() }
        flushNetwork()
        try await render.photographer.take(name, state: render.activeState ?? .default)
      }
    } catch {
      guard render.failure == nil else { return }
      throw .engine("picture-failed", "no picture \(name): \(error)")
    }
  }

  /// What the feed's requests came to, at the end of the log.
  func tellMetrics() {
    let metrics = metrics.metrics
    note(
      "requests",
      [
        "sent": .number(Double(metrics.sent)), "succeeded": .number(Double(metrics.succeeded)),
        "failed": .number(Double(metrics.failed)), "retried": .number(Double(metrics.retried)),
        "cancelled": .number(Double(metrics.cancelled)), "bytes": .number(Double(metrics.bytes)),
      ])
  }

  /// The tallest picture, in dip; what is below it is cut off.
  private static let tallest = 20_000.0

  /// One picture of the whole feed, put together of what its window shows on the way down.
  func pictureWhole() async throws(Fault) {
    guard let document, render.modalManager.stack.states.isEmpty, geometry.height > 0 else { return }
    if geometry.height > Self.tallest {
      render.warnings.append("the picture of the whole feed ends at \(Self.tallest.plain) dip")
    }
    await render.films.hold()
    defer { render.films.letGo() }
    do {
      var whole: Bitmap?
      try await tryAgainAfterLosses { whole = try await wholePicture(document) }
      if let whole { render.photographer.keep(whole, as: "whole-feed") }
    } catch {
      guard render.failure == nil else { return }
      throw .engine("picture-failed", "no picture of the whole feed: \(error)")
    }
  }

  private func wholePicture(_ document: FeedDocument) async throws -> Bitmap {
    let screen = render.stage.screen
    let scale = Double(screen.device.renderScale)
    let height = min(geometry.height, Self.tallest)
    let size = screen.pixelFrame(of: Rect(x: 0, y: 0, width: screen.contentArea.width, height: height))
    var whole = Bitmap(width: size.width, height: size.height, fill: .white)
    for at in stride(from: 0, to: height, by: windowHeight) {
      let shown = geometry.offset(nearest: at, height: windowHeight)
      try await document.scroll(to: shown)
      try await render.clock.nextFrame(of: document.page.view)
      whole.blit(try await document.page.picture(render.clock), x: 0, y: Bounded.int(shown * scale, in: 0...1_000_000))
    }
    try await document.scroll(to: offset)
    for view in screen.feed?.shown ?? [] {
      guard let frame = screen.feed?.slots[view], let page = render.stage.pages[view] else { continue }
      let place = screen.pixelFrame(of: frame)
      whole.blit(try await page.picture(render.clock), x: place.x, y: place.y)
    }
    return whole
  }
}
