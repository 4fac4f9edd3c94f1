internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Takes requested screenshots, each once the content of the screen has come to rest.
@EngineActor final class ScreenshotScheduler {
  private let render: RenderContext
  private let stability: StabilityWaiter

  init(_ render: RenderContext, _ stability: StabilityWaiter) {
    self.render = render
    self.stability = stability
  }

  private var capturer: ScreenshotCapturer { render.capturer }

  private var state: MRAIDState { render.activeState ?? .default }

  /// Takes a screenshot once everything on the screen is loaded and settled; the creative's commands wait meanwhile.
  func request(_ name: String) {
    guard !capturer.isFull, render.failure == nil else { return }
    render.turns.hold()
    stability.screenshotsPending += 1
    Task { @EngineActor [self] in
      await captureRequested(name)
      stability.screenshotsPending -= 1
      render.turns.release()
      render.recorder.wakeWaiters()
    }
  }

  /// Takes a screenshot for a step of the scenario, and waits for it.
  func capture(step name: String) async throws(Fault) {
    do {
      try await captureAtRest(name)
    } catch {
      throw .screenshot("no screenshot \(name)", error)
    }
  }

  private func captureAtRest(_ name: String) async throws {
    _ = await stability.waitUntilIdle()
    let state = state
    await render.playedVideos.hold()
    do {
      try await captureRetrying(name, state)
    } catch {
      await render.playedVideos.release()
      throw error
    }
    await render.playedVideos.release()
    await render.meter?.pictured(state)
  }

  /// Takes a screenshot, again if the browser's page goes elsewhere meanwhile, which it may each time the ad opens
  /// another.
  private func captureRetrying(_ name: String, _ state: MRAIDState) async throws {
    for _ in 1..<Self.mostAttempts {
      do {
        return try await capturer.capture(name, state: state)
      } catch let error as ScriptError where error == .wentElsewhere {
        guard render.failure == nil, !Task.isCancelled else { throw error }
        _ = await stability.waitUntilIdle()
      }
    }
    try await capturer.capture(name, state: state)
  }

  private func captureRequested(_ name: String, attempt: Int = 1) async {
    let state = state
    if await !stability.waitUntilLoaded() {
      render.warnings.append("the screenshot \(name) was taken before everything on screen had loaded")
    }
    await stability.waitForNavigationToSettle()
    render.flushNetwork()
    let seen = stability.documents
    await render.playedVideos.hold()
    defer { render.playedVideos.releaseVideos() }
    do {
      try await capturer.capture(name, state: state)
      await render.meter?.pictured(state)
    } catch {
      guard render.failure == nil, !Task.isCancelled else { return }
      // It went elsewhere meanwhile, which it can't do for ever: the screenshot is that of where it arrives.
      if stability.documents > seen { return await captureRequested(name, attempt: attempt) }
      // So does the browser's page, as often as the ad opens another.
      if error as? ScriptError == .wentElsewhere, attempt < Self.mostAttempts {
        return await captureRequested(name, attempt: attempt + 1)
      }
      render.recorder.record(
        .host, .screenshotFailed, ["name": .string(name), "reason": .string(String(describing: error))])
      // Without its screenshot an ad would be judged by nothing.
      render.fail(.screenshot("no screenshot of \(name)", error))
    }
  }

  /// Maximum number of attempts at a screenshot during which a page of the host went elsewhere.
  private static let mostAttempts = 25

  /// Takes the scheduled screenshots, at times counted from this frame, in which the ad was shown, and writes the
  /// filmstrip.
  func capture(_ schedule: CaptureSchedule, to folder: ResultFolder) async throws(Fault) -> RenderRecord.Filmstrip? {
    let clock = render.clock
    let shown = clock.frame
    var strip = schedule.filmstrip.map { FilmstripWriter($0, scale: render.job.device.renderScale) }
    for moment in schedule.moments {
      await clock.comes(to: shown + Bounded.seconds(moment.seconds))
      guard render.failure == nil else { return nil }
      do {
        if let ad = try await capture(moment), moment.isFrame { strip?.add(ad, at: moment.seconds) }
      } catch {
        guard render.failure == nil, !Task.isCancelled else { return nil }
        throw .screenshot("no screenshot at \(moment.seconds.plain) s", error)
      }
    }
    guard let strip else { return nil }
    return try await clock.hold { () async throws(Fault) in try await strip.write(to: folder.path) }
  }

  /// Image of the ad alone at this moment, which is also stored as a screenshot if the schedule asks for it.
  private func capture(_ moment: CaptureSchedule.Moment) async throws -> Bitmap? {
    let name = "at-\(moment.seconds.plain)s"
    return try await capturer.captureNow(moment.isPicture ? name : nil, state: state, at: moment.seconds)
  }
}

extension Fault {
  /// Fault for a required screenshot that couldn't be taken; the creative's fault if its page prevented it.
  static func screenshot(_ what: String, _ error: any Error) -> Fault {
    if let error = error as? Fault { return error }
    let script = error as? ScriptError
    return script?.isThrown == true || script == .wentElsewhere
      ? .creative("screenshot-prevented", "\(what): \(error)") : .engine("screenshot-failed", "\(what): \(error)")
  }
}
