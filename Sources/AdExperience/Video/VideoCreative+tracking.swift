internal import MRAID
package import VAST

extension VideoCreative {
  /// The event with its beacons and what their macros stand for.
  func tracked(_ event: PlaybackEvent) -> TrackedEvent {
    var detail: [String: JSONValue] = [:]
    if settings.count > 1 { detail["ad"] = .number(Double(settings.place)) }
    if case .progress(let second) = event { detail["at"] = .number(second) }
    return TrackedEvent(
      event.name, detail: detail, beacons: plan.beacons(event), macros: macros(), playhead: playhead)
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
        beacons: plan.ad.errors, macros: macros(["ERRORCODE": String(code.rawValue)]), playhead: playback.time))
  }

  func fullScreen(_ isFull: Bool) { tell(playback.handle(.fullScreen(isFull))) }
}
