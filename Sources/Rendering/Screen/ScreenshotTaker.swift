internal import AdManager
internal import Core
internal import Device
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Takes the pictures that somebody asks for, each once what is on the screen has come to rest.
@WebKitActor final class ScreenshotTaker {
  private let render: RenderContext
  private let stability: StabilityWaiter

  init(_ render: RenderContext, _ stability: StabilityWaiter) {
    self.render = render
    self.stability = stability
  }

  private var capture: ScreenshotCapture { render.capture }

  private var state: MRAIDState { render.activeState ?? .default }

  /// Takes a picture once everything on screen is loaded and settled; the creative's commands wait meanwhile.
  func request(_ name: String) {
    guard !capture.isFull, render.failure == nil else { return }
    render.turns.hold()
    stability.screenshotsPending += 1
    Task { @WebKitActor [self] in
      await screenshot(name)
      stability.screenshotsPending -= 1
      render.turns.release()
      render.recorder.wakeWaiters()
    }
  }

  /// Takes a picture that a scenario's step asks for, and waits for it.
  func takeScreenshot(step name: String) async throws(Fault) {
    do {
      try await takeAtRest(name)
    } catch {
      throw .engine("screenshot-failed", "no picture \(name): \(error)")
    }
  }

  private func takeAtRest(_ name: String) async throws {
    _ = await stability.waitUntilIdle()
    let state = state
    await render.playedVideos.hold()
    do {
      try await takeScreenshot(name, state)
    } catch {
      await render.playedVideos.release()
      throw error
    }
    await render.playedVideos.release()
    await render.meter?.pictured(state)
  }

  /// The browser's page may go elsewhere meanwhile, as often as the ad opens another.
  private func takeScreenshot(_ name: String, _ state: MRAIDState) async throws {
    for _ in 1..<Self.mostAttempts {
      do {
        return try await capture.takeScreenshot(name, state: state)
      } catch let error as ScriptError where error == .wentElsewhere {
        guard render.failure == nil, !Task.isCancelled else { throw error }
        _ = await stability.waitUntilIdle()
      }
    }
    try await capture.takeScreenshot(name, state: state)
  }

  private func screenshot(_ name: String, attempt: Int = 1) async {
    let state = state
    if await !stability.waitUntilLoaded() {
      render.warnings.append("the picture \(name) was taken before everything on screen had loaded")
    }
    await stability.waitForNavigationToSettle()
    render.flushNetwork()
    let seen = stability.documents
    await render.playedVideos.hold()
    defer { render.playedVideos.releaseVideos() }
    do {
      try await capture.takeScreenshot(name, state: state)
      await render.meter?.pictured(state)
    } catch {
      guard render.failure == nil, !Task.isCancelled else { return }
      // It went elsewhere meanwhile, which it can't do for ever: the picture is that of where it arrives.
      if stability.documents > seen { return await screenshot(name, attempt: attempt) }
      // So does the browser's page, as often as the ad opens another.
      if error as? ScriptError == .wentElsewhere, attempt < Self.mostAttempts {
        return await screenshot(name, attempt: attempt + 1)
      }
      render.recorder.record(
        .host, "screenshotFailed", ["name": .string(name), "reason": .string(String(describing: error))])
      render.warnings.append("no picture of \(name): \(error)")
    }
  }

  /// How often a picture is tried in which a page of the host's went elsewhere.
  private static let mostAttempts = 25

  /// Takes what was asked for at instants since this frame, in which the ad was shown, and writes the filmstrip.
  func takeScreenshot(_ captures: CaptureSchedule, to folder: ResultFolder) async throws(Fault) -> RenderRecord
    .Filmstrip?
  {
    let clock = render.clock
    let shown = clock.frame
    var strip = captures.filmstrip.map { FilmstripWriter($0, scale: render.job.device.renderScale) }
    for moment in captures.moments {
      await clock.comes(to: shown + Bounded.seconds(moment.seconds))
      guard render.failure == nil else { return nil }
      do {
        if let ad = try await screenshot(moment), moment.isFrame { strip?.add(ad, at: moment.seconds) }
      } catch {
        render.warnings.append("no picture at \(moment.seconds.plain) s: \(error)")
      }
    }
    guard let strip else { return nil }
    return try await clock.hold { () async throws(Fault) in try await strip.write(to: folder.path) }
  }

  /// The ad alone as it is now, which is kept as a picture where that was asked for.
  private func screenshot(_ moment: CaptureSchedule.Moment) async throws -> Bitmap? {
    let name = "at-\(moment.seconds.plain)s"
    return try await capture.takeNow(moment.isPicture ? name : nil, state: state, at: moment.seconds)
  }
}
