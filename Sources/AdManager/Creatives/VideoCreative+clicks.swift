package import AdResponses
internal import Core
internal import Device

extension VideoCreative {
  /// Handles a click for the advertiser's page; without an address only the click beacons are requested.
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

  /// Logs the failure of an icon; it was never visible, so no view is reported, and the standard has no code for it.
  func iconFailed(_ place: Int) {
    guard let icon = icon(place) else { return }
    host.track(TrackedEvent("iconFailed", detail: Self.detail(icon)), displayView)
  }

  /// Opens the address of an icon such as AdChoices above the ad, without counting as a click on it.
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

  /// Opens the browser; the ad manager pauses the video once it is on screen.
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
  /// Returns the event with its beacons and the values of their macros.
  func tracked(_ event: PlaybackEvent) -> TrackedEvent {
    var detail: [String: JSONValue] = [:]
    if settings.count > 1 { detail["ad"] = .number(Double(settings.place)) }
    if case .progress(let second) = event { detail["at"] = .number(second) }
    return TrackedEvent(
      event.name, detail: detail, beacons: plan.beacons(event), macros: macros(), playhead: playhead, moment: event)
  }

  /// Returns the values that this ad has for macros at this moment.
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

  /// Logs an error and requests the ad's error addresses.
  package func trackFailure(_ code: VASTErrorCode, _ reason: String) {
    host.track(
      TrackedEvent(
        "error", detail: ["code": .number(Double(code.rawValue)), "message": .string(reason)],
        beacons: plan.ad.errors, macros: macros(["ERRORCODE": String(code.rawValue)]), playhead: playback.time),
      displayView)
  }

  func fullScreen(_ isFull: Bool) { reportEvents(playback.handle(.fullScreen(isFull))) }
}
