internal import Core
internal import Engine
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// First loop of animated images, which the engine rushes through: it learns a frame's duration only by painting it.
///
/// So that images begin with their first frame, the first loop is painted while time stands still.
struct FirstLoop {
  /// Maximum number of frames that are painted for one image.
  static let longest = 300
  /// Maximum number of frames that are painted for all images of a page.
  static let mostPaintings = 900

  /// Number of paintings after which each new image is back at its beginning.
  private(set) var paintings = 0
  private var left = mostPaintings
  private(set) var isTooLong = false

  /// Adds an image that has arrived.
  mutating func add(_ animation: AnimatedImage) {
    let wanted = animation.frames + 1
    let given = min(wanted, Self.longest + 1, left)
    if given < wanted { isTooLong = true }
    paintings = max(paintings, given)
  }

  /// Returns the paintings to do, which count as done from now on.
  mutating func take() -> Int {
    defer { paintings = 0 }
    left -= paintings
    return paintings
  }
}

extension RenderContext {
  /// Paints the first loops of new images in each visible page; false if there are none.
  func passFirstLoops() async -> Bool {
    var havePassed = false
    let pages = stage.pages.values.filter { $0.view.isVisible && $0.firstLoop.paintings > 0 }
    for page in pages.sorted(by: { $0.number < $1.number }) {
      havePassed = true
      if await !page.passFirstLoops(clock, until: firstLoopsEnd, while: { !self.isOver }) {
        clock.noteNondeterminism(.images)
      }
    }
    return havePassed
  }

  /// Instant of the machine's time until which first loops are painted; the rest of the time is the ad's.
  private var firstLoopsEnd: ContinuousClock.Instant {
    clock.began + Bounded.seconds(job.limits.timeout * Self.shareForFirstLoops)
  }
  private static let shareForFirstLoops = 0.4
}

extension AdPage {
  /// Paints frame after frame without storing them; false if no movement was seen or the loops can't have been
  /// complete.
  fileprivate func passFirstLoops(
    _ clock: RenderClock, until end: ContinuousClock.Instant, while goesOn: @EngineActor () -> Bool
  ) async -> Bool {
    var (first, moves) = (Bitmap?.none, false)
    for _ in 0..<firstLoop.take() where goesOn() {
      guard ContinuousClock.now < end, let picture = await paint(clock) else { return false }
      if let first { moves = moves || picture != first } else { first = picture }
    }
    return !firstLoop.isTooLong && moves
  }

  private func paint(_ clock: RenderClock) async -> Bitmap? {
    view.isComposited ? try? await clock.composed(view) : try? await view.snapshot()
  }
}
