package import AdResponses
internal import Core

extension VideoCreative {
  /// The person wants the advertiser's page; without one nothing happens but that somebody may hear of it.
  func click() {
    let linear = plan.ad.linear
    host.track(
      TrackedEvent(
        "click", detail: linear?.clickThrough.map { ["url": .string($0)] } ?? [:], beacons: linear?.clickTracking ?? [],
        macros: macros(["CLICKTYPE": "1"]), playhead: playhead), displayView)
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
        "iconView", detail: Self.detail(icon), beacons: icon.viewTracking, macros: macros(), playhead: playback.time),
      displayView)
  }

  /// Nobody has seen it, so nobody is told of a view; the standard has no code for it.
  func iconFailed(_ place: Int) {
    guard let icon = icon(place) else { return }
    host.track(TrackedEvent("iconFailed", detail: Self.detail(icon)), displayView)
  }

  /// AdChoices and its like open above the ad, and are no click on it.
  func iconClicked(_ place: Int) {
    guard let icon = icon(place) else { return }
    var detail = Self.detail(icon)
    detail["url"] = icon.clickThrough.map { .string($0) }
    host.track(
      TrackedEvent(
        "iconClick", detail: detail, beacons: icon.clickTracking, macros: macros(), playhead: playback.time),
      displayView)
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

extension VideoCreative {
  /// The event with its beacons and what their macros stand for.
  func tracked(_ event: PlaybackEvent) -> TrackedEvent {
    var detail: [String: JSONValue] = [:]
    if settings.count > 1 { detail["ad"] = .number(Double(settings.place)) }
    if case .progress(let second) = event { detail["at"] = .number(second) }
    return TrackedEvent(
      event.name, detail: detail, beacons: plan.beacons(event), macros: macros(), playhead: playhead, moment: event)
  }

  /// What this ad knows at this moment.
  func macros(_ more: [String: String] = [:]) -> [String: String] {
    let playhead = VASTOffset.text(playhead)
    var state = [playback.isMuted ? "muted" : nil, playback.isFullScreen ? "fullscreen" : nil].compactMap(\.self)
    if settings.isInterstitial { state.append("fullscreen") }
    var values = [
      "ASSETURI": settings.media.url, "MEDIAMIME": settings.media.type, "ADPLAYHEAD": playhead,
      "MEDIAPLAYHEAD": playhead, "ADCOUNT": String(settings.place), "PODSEQUENCE": String(plan.ad.sequence ?? -1),
      "PLAYERSTATE": state.isEmpty ? VASTMacros.unknown : state.joined(separator: ","), "ADTYPE": "video",
    ]
    values["UNIVERSALADID"] = plan.ad.creative?.universalIDs.map { $0.replacing(":", with: " ") }.joined(separator: ",")
    values["ADSERVINGID"] = plan.ad.inLine.adServingID
    values["PLACEMENTTYPE"] = settings.isInterstitial ? "5" : "3"
    return values.merging(more) { $1 }
  }

  /// Tells everybody who wants to hear of errors.
  package func trackFailure(_ code: VASTErrorCode, _ reason: String) {
    host.track(
      TrackedEvent(
        "error", detail: ["code": .number(Double(code.rawValue)), "message": .string(reason)],
        beacons: plan.ad.errors, macros: macros(["ERRORCODE": String(code.rawValue)]), playhead: playback.time),
      displayView)
  }

  func fullScreen(_ isFull: Bool) { reportEvents(playback.handle(.fullScreen(isFull))) }
}
