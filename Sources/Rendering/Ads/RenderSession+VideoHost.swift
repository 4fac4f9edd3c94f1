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

  func track(_ event: TrackedEvent) {
    if event.moment == .midpoint { (host ?? self).midpoints += 1 }
    let report = tracking.report(event, at: Date().formatted(.iso8601))
    let asked = report.beacons.map(send) ?? []
    recorder.record(.vast, report.name, named(report.detail(asked: asked)))
  }

  /// Sends them from the player's page, so that they are requests of the ad's like all others.
  private func send(_ urls: [String]) -> [String] {
    let page = stage.pages[views.player] ?? stage.pages[views.page]
    let allowed = urls.compactMap { try? judge(whole: $0, for: .beacon) }
    for address in allowed {
      let script = "new Image().src = \(JSONValue.string(address.url).text)"
      Task { @WebKitActor in _ = try? await page?.view.call(script) }
    }
    return allowed.map(\.url)
  }

  func tell(_ view: AdViewID, _ call: String) {
    guard let page = player(view) else { return }
    let script = order(call)
    // What the host calls counts as a person's doing, without which a film with sound wouldn't play.
    Task { @WebKitActor in _ = try? await page.view.call(script, world: .page) }
  }
}

extension TrackingReporter {
  /// Of one ad of the job's, whose player is so large.
  init(of job: RenderJob, width: Double, height: Double, namesAds: Bool) {
    self.init(
      width: width, height: height, isInterstitial: job.placement.kind == .interstitial,
      userAgent: job.device.userAgent, version: Galley.version, sendsBeacons: job.options.sendsBeacons,
      namesAds: namesAds)
  }
}
