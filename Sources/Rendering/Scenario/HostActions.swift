internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import RenderModel

/// User actions on the device and the app, rather than on the ad.
@EngineActor struct HostActions {
  let run: RenderRun
  private var render: RenderContext { run.render }

  /// Performs a step of this kind; does nothing for other steps.
  func carryOut(_ action: Scenario.Action) async throws(Fault) {
    let recorder = render.recorder
    switch action {
    case .close:
      await closeControlComes()
      recorder.record(.host, .close)
      guard render.content?.activeAd?.manager.closeTopmost() == true else {
        throw .request("close-control-missing", "nothing on the screen has a close control")
      }
    case .rotate(let orientation):
      let turned = await render.stage.rotate(to: orientation)
      recorder.record(.host, .rotate, ["to": .string(orientation.rawValue), "allowed": .bool(turned)])
      if let feed = run.feed {
        try await feed.preserveScrollPosition()
      }
      run.ad?.html.creative?.screenDidChange()
    case .background: setForeground(false)
    case .foreground: setForeground(true)
    case .volume(let volume):
      recorder.record(.host, .volume, ["to": volume.map { .number($0) } ?? .null])
      for ad in run.shownAds {
        ad.html.creative?.volumeDidChange(volume)
        for one in ad.context.measured { one.volumeDidChange(volume) }
      }
    case .scroll(let offset):
      if let feed = run.feed {
        try await feed.tour.scroll(to: offset)
        return try await feed.tour.stop()
      }
      recorder.record(.host, .scroll, ["to": .number(offset)])
      render.stage.scroll(to: offset)
      run.ad?.html.creative?.screenDidChange()
    default: break
    }
  }

  /// Waits for the close control, as a user who wants to close the ad does.
  private func closeControlComes() async {
    let modals = render.modalManager
    guard let left = modals.stack.top?.properties.closeDelayLeft, left > 0 else { return }
    _ = await render.recorder.wait(Bounded.seconds(left + 5)) {
      (modals.stack.top?.properties.closeDelayLeft ?? 0) <= 0
    }
  }

  private func setForeground(_ isForeground: Bool) {
    render.recorder.record(.host, isForeground ? .foreground : .background)
    render.stage.setForeground(isForeground)
    run.feed?.screenDidChange()
    for ad in run.shownAds {
      ad.video.setForeground(isForeground)
      if isForeground { ad.manager.resume() } else { ad.manager.pause() }
    }
  }
}
