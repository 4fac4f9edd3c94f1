internal import AdManager
internal import AdResponses
internal import Core
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Watches the videos of a render's ad without user actions, with screenshots on the way.
@EngineActor struct VideoWatcher {
  let ad: AdSession
  let stability: StabilityWaiter
  let screenshots: ScreenshotScheduler

  private var render: RenderContext { ad.context.render }

  /// Lets videos play to their end; takes screenshots of each midpoint and of the end.
  func follow(until deadline: ContinuousClock.Instant) async {
    guard !ad.video.playedVideos.isEmpty else { return }
    var tour = VideoTour()
    while render.failure == nil, !ad.video.isOver {
      let isInTime = await render.playedVideos.hold(until: deadline) {
        render.failure != nil || tour.stops(at: sight)
      }
      guard isInTime else {
        render.warnings.append("the time limit passed before the video ended; use a longer timeout")
        break
      }
      for film in ad.video.playedVideos.values where film.isAwaitingPerson {
        ad.context.warn("the interactive creative waits for user input; use a scenario")
      }
      if tour.takesMidpoint(at: sight) { screenshots.request("midpoint") }
      _ = await stability.waitUntilIdle()
      await render.playedVideos.release()
      guard waitsAtCard else { continue }
      // Somebody who wants to see the next film closes the card before it.
      render.recorder.record(.host, .close)
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
