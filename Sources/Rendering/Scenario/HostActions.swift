internal import AdManager
internal import Core
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// What a person does to the device and to the app, rather than to the ad.
@WebKitActor struct HostActions {
  let session: RenderSession
  private var render: RenderContext { session.render }

  /// Carries out a step of this kind; every other does nothing.
  func carryOut(_ action: Scenario.Action) async throws(Fault) {
    let recorder = render.recorder
    switch action {
    case .close:
      await closeControlComes()
      recorder.record(.host, "close")
      guard render.content?.activeAd?.manager.closeTopmost() == true else {
        throw .request("close-control-missing", "nothing on screen has a close control")
      }
    case .rotate(let orientation):
      let turned = await render.stage.rotate(to: orientation)
      recorder.record(.host, "rotate", ["to": .string(orientation.rawValue), "allowed": .bool(turned)])
      if let feed = session.feed {
        try await feed.preserveScrollPosition()
      }
      session.ad?.html.creative?.screenDidChange()
    case .background: setForeground(false)
    case .foreground: setForeground(true)
    case .volume(let volume):
      recorder.record(.host, "volume", ["to": volume.map { .number($0) } ?? .null])
      for ad in session.shownAds {
        ad.html.creative?.volumeDidChange(volume)
        for one in ad.context.measured { one.volumeDidChange(volume) }
      }
    case .scroll(let offset):
      if let feed = session.feed {
        try await feed.tour.scroll(to: offset)
        return try await feed.tour.stop()
      }
      recorder.record(.host, "scroll", ["to": .number(offset)])
      render.stage.scroll(to: offset)
      session.ad?.html.creative?.screenDidChange()
    default: break
    }
  }

  /// A person who wants to close waits for the control.
  private func closeControlComes() async {
    let modals = render.modalManager
    guard let left = modals.stack.top?.properties.closeDelayLeft, left > 0 else { return }
    _ = await render.recorder.wait(Bounded.seconds(left + 5)) {
      (modals.stack.top?.properties.closeDelayLeft ?? 0) <= 0
    }
  }

  private func setForeground(_ isForeground: Bool) {
    render.recorder.record(.host, isForeground ? "foreground" : "background")
    render.stage.setForeground(isForeground)
    session.feed?.screenDidChange()
    for ad in session.shownAds {
      ad.video.setForeground(isForeground)
      if isForeground { ad.manager.resume() } else { ad.manager.pause() }
    }
  }
}
