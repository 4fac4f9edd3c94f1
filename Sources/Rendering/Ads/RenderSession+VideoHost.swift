internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

extension RenderSession: @WebKitActor VideoHost {
  /// Waits for a picture that is about to be taken: the first is of the film's first moment.
  func play(_ view: AdViewID) {
    video.films[view]?.isWanted = true
    gate.pass { [weak self] in
      guard let self, video.films[view]?.isWanted == true else { return }
      tell(view, "play()")
    }
  }

  func pause(_ view: AdViewID) {
    video.films[view]?.isWanted = false
    tell(view, "pause()")
  }

  func setMuted(_ isMuted: Bool, _ view: AdViewID) { tell(view, "mute(\(isMuted))") }

  func setFullScreen(_ isFullScreen: Bool, _ view: AdViewID) { tell(view, "fullScreen(\(isFullScreen))") }

  /// Beacons are sent when that was asked for: a proof that counts as an impression would be paid by somebody.
  func track(_ event: TrackedEvent) {
    var macros = VASTMacros(environmentMacros.merging(event.macros) { $1 })
    video.beacons += 1
    macros.values["CACHEBUSTING"] = String(10_000_000 + video.beacons)
    macros.values["TIMESTAMP"] = Date().formatted(.iso8601)
    var detail = event.detail
    var timing: [String: JSONValue] = [:]
    if let playhead = event.playhead { timing["playhead"] = .number((playhead * 1000).rounded() / 1000) }
    if !event.beacons.isEmpty {
      let shown = event.beacons.map { macros.replaced(in: $0, leaving: VASTMacros.volatile) }
      detail["beacons"] = .array(shown.map { .string($0) })
      detail["sent"] = .bool(job.options.sendsBeacons)
    }
    if job.options.sendsBeacons { timing["urls"] = .array(send(event.beacons.map { macros.replaced(in: $0) })) }
    if !timing.isEmpty { detail["timing"] = .object(timing) }
    // Where ads have names, `ad` is that; a film's place in its pod moves aside.
    if host != nil, let place = detail.removeValue(forKey: "ad") { detail["film"] = place }
    recorder.record(.vast, event.name, named(.object(detail)))
  }

  /// Sends them from the player's page, so that they are requests of the ad's like all others.
  private func send(_ urls: [String]) -> [JSONValue] {
    let page = stage.pages[views.player] ?? stage.pages[views.page]
    let allowed = urls.compactMap { try? judge(whole: $0, for: .beacon) }
    for address in allowed {
      guard let quoted = try? JSONEncoder().encode(address.url) else { continue }
      let script = "new Image().src = \(String(decoding: quoted, as: UTF8.self))"
      Task { @WebKitActor in _ = try? await page?.view.call(script) }
    }
    return allowed.map { .string($0.url) }
  }

  func tell(_ view: AdViewID, _ call: String) {
    guard let page = player(view) else { return }
    let script = order(call)
    // What the host calls counts as a person's doing, without which a film with sound wouldn't play.
    Task { @WebKitActor in _ = try? await page.view.call(script, world: .page) }
  }

  /// What macros stand for that is the same for all of a render.
  var environmentMacros: [String: String] {
    let size = "\(placement.width.plain),\(placement.height.plain)"
    return [
      "VASTVERSIONS": "2,3,5,6,7,8,11,12,13,14", "PLAYERSIZE": size, "SERVERSIDE": "0",
      "CLIENTUA": "Galley/\(Galley.version)",
      "DEVICEUA": job.device.userAgent, "IFA": VASTMacros.withheld, "LATLONG": VASTMacros.withheld,
      "PLAYERCAPABILITIES": "skip,mute,autoplay,mautoplay,fullscreen,icon",
      "INVENTORYSTATE": isInterstitial ? "skippable,autoplayed,fullscreen" : "skippable,mautoplayed",
    ]
  }
}
