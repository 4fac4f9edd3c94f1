internal import MRAID
internal import VAST

extension VideoCreative {
  /// The person wants the advertiser's page; without one nothing happens but that somebody may hear of it.
  func click() {
    let linear = plan.ad.linear
    host.track(
      TrackedEvent(
        "click", detail: linear?.clickThrough.map { ["url": .string($0)] } ?? [:], beacons: linear?.clickTracking ?? [],
        macros: macros(["CLICKTYPE": "1"]), playhead: playhead))
    guard let url = linear?.clickThrough else { return }
    delegate?.creativeWasClicked(self)
    switch ClickDestination(url) {
    case .browser: cover(with: url)
    case .otherApp: delegate?.creativeInterstitialDidLeaveApp(self)
    }
  }

  func iconShown(_ place: Int) {
    guard let icon = icon(place) else { return }
    host.track(
      TrackedEvent(
        "iconView", detail: Self.detail(icon), beacons: icon.viewTracking, macros: macros(), playhead: playback.time))
  }

  /// Nobody has seen it, so nobody is told of a view; the standard has no code for it.
  func iconFailed(_ place: Int) {
    guard let icon = icon(place) else { return }
    host.track(TrackedEvent("iconFailed", detail: Self.detail(icon)))
  }

  /// AdChoices and its like open above the ad, and are no click on it.
  func iconClicked(_ place: Int) {
    guard let icon = icon(place) else { return }
    var detail = Self.detail(icon)
    detail["url"] = icon.clickThrough.map { .string($0) }
    host.track(
      TrackedEvent(
        "iconClick", detail: detail, beacons: icon.clickTracking, macros: macros(), playhead: playback.time))
    if let url = icon.clickThrough { cover(with: url) }
  }

  func enterFullScreen() {
    guard !settings.isInterstitial else { return }
    let state = ModalState(kind: .expanded, displayView: displayView)
    delegate?.creativeShouldDisplayModalState(self, state) { [weak self] in
      guard let self else { return }
      host.setFullScreen(true, displayView)
      host.setMuted(false, displayView)
      fullScreen(true)
    }
  }

  func leaveFullScreen(then: @escaping () -> Void) {
    delegate?.creativeShouldCloseModalState(self) { [weak self] in
      guard let self else { return }
      host.setFullScreen(false, displayView)
      host.setMuted(true, displayView)
      fullScreen(false)
      then()
    }
  }

  /// The ad manager pauses the film once the browser is on screen.
  private func cover(with url: String) {
    let state = ModalState(kind: .browser(url: url), displayView: .browser, presentingView: displayView)
    delegate?.creativeShouldDisplayModalState(self, state) {}
  }

  private func icon(_ place: Int) -> VASTIcon? {
    let icons = plan.ad.linear?.icons ?? []
    return icons.indices.contains(place) ? icons[place] : nil
  }

  private static func detail(_ icon: VASTIcon) -> [String: JSONValue] {
    icon.program.map { ["program": .string($0)] } ?? [:]
  }
}
