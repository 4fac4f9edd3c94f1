internal import AdManager
internal import AdResponses
internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Watches the films of a render's ad as somebody does who only looks, with pictures on the way.
@WebKitActor struct VideoWatcher {
  let ad: AdSession
  let stability: StabilityWaiter
  let screenshots: ScreenshotTaker

  private var render: RenderContext { ad.context.render }

  /// Lets films play to their end where nobody says what else to do; pictures each half-way, and what is there then.
  func follow(until deadline: ContinuousClock.Instant) async {
    guard !ad.video.playedVideos.isEmpty else { return }
    var tour = VideoTour()
    while render.failure == nil, !ad.video.isOver {
      let isInTime = await render.playedVideos.hold(until: deadline) {
        render.failure != nil || tour.stops(at: sight)
      }
      guard isInTime else {
        render.warnings.append("the film wasn't over when the time allowed was; --timeout allows more")
        break
      }
      for film in ad.video.playedVideos.values where film.isAwaitingPerson {
        ad.context.warn("the interactive creative waits for somebody to touch it; a scenario can")
      }
      if tour.takesMidpoint(at: sight) { screenshots.request("midpoint") }
      _ = await stability.waitUntilIdle()
      await render.playedVideos.release()
      guard waitsAtCard else { continue }
      // Somebody who wants to see the next film closes the card before it.
      render.recorder.record(.host, "close")
      _ = ad.manager.closeTopmost()
    }
    guard render.failure == nil else { return }
    _ = await stability.waitUntilIdle()
    if let view = ad.manager.currentCreative?.displayView, ad.video.playedVideos[view] != nil {
      screenshots.request("video-end")
    }
  }

  private var waitsAtCard: Bool { ad.manager.currentCreative is CompanionCreative }

  private var sight: VideoTour.Sight {
    VideoTour.Sight(midpoints: render.midpoints, areOver: ad.video.isOver, waitsAtCard: waitsAtCard)
  }
}
