internal import AdExperience
internal import Bundles
internal import Jobs
internal import MRAID
internal import VAST
internal import WebKitRuntime

extension RenderSession {
  /// Plays what a page handed to `playVideo` full screen; a film of another's only where clickthroughs are followed.
  func openPlayer(_ url: String) {
    let plays = "The host's player would play"
    let address: CreativeAddress
    do throws(AddressRefusal) {
      address = try judge(url, for: .video)
    } catch {
      return showNotice(plays, shown(url), "Nothing was loaded: \(error).")
    }
    guard job.options.followsClickthroughs || addresses.isOwn(address.url) || address.url.hasPrefix("data:") else {
      return showNotice(plays, shown(url), "Nothing was loaded; --follow-clickthroughs loads it.")
    }
    let path = "\(PlayerPage.folder)video.html"
    let player = PlayerPage(film: VASTLinear(), source: address, isInterstitial: true, isMuted: false) { _ in nil }
    video.pages[path] = SchemeResponse(
      mimeType: "text/html; charset=utf-8", body: player.html(channel: scripts.channel))
    video.awaitsPlayer = true
    video.playsVideo = true
    makePage(.browser, part: nil, isAd: true).view.load(addresses.hostPage(path))
  }

  /// The host's own player told something.
  func hearHostPlayer(_ message: PlayerMessage, _ page: AdPage) {
    guard page.id == .browser, case .video(let url)? = modalManager.stack.top?.kind else { return }
    switch message {
    case .ready:
      // It plays once it was pictured.
      if filmsStandStill { tell(.browser, "hold('nearest')") }
      gate.pass { [weak self, weak page] in self?.start(page) }
      video.awaitsPlayer = false
    case .report(.failed(let reason), _):
      recorder.record(.host, "playVideoFailed", ["uri": .string(addresses.display(url)), "reason": .string(reason)])
      showNotice("The host's player can't play", addresses.display(url), "Why: \(reason).")
      video.awaitsPlayer = false
    case .report: break
    }
    recorder.wakeWaiters()
  }

  private func start(_ page: AdPage?) {
    guard let page else { return }
    Task { @WebKitActor [order = order("play()")] in _ = try? await page.view.call(order, world: .page) }
  }
}
