internal import AdManager
internal import AdResponses
internal import Core
internal import RenderModel
internal import WebKitRuntime

extension RenderSession {
  /// Makes the page of a browser or player that is about to be shown, and drops that of one that went.
  func preparePages(for transition: ModalTransition) {
    for state in transition.removed where state.displayView == .browser {
      stage.remove(.browser)
      video.awaitsPlayer = false
      video.playsVideo = false
    }
    switch transition.top?.kind {
    case .browser(let url) where stage.pages[.browser] == nil: openBrowser(url)
    case .video(let url) where stage.pages[.browser] == nil: openPlayer(url)
    default: break
    }
  }

  private func openBrowser(_ url: String) {
    let opens = "The clickthrough browser would open"
    guard job.options.followsClickthroughs else {
      return showNotice(opens, shown(url), "Nothing was loaded; --follow-clickthroughs loads it.")
    }
    do throws(AddressRefusal) {
      let address = try judge(url, for: .clickthrough)
      makePage(.browser, part: nil).view.load(address.loadable)
    } catch {
      showNotice(opens, shown(url), "Nothing was loaded: \(error).")
    }
  }

  /// Shows what would be there, in the browser's page or one that is made for it.
  func showNotice(_ what: String, _ url: String, _ note: String) {
    let page = PageScripts.browserPage(what: what, url: url, note: note)
    browserPage = SchemeResponse(mimeType: "text/html; charset=utf-8", body: page)
    let shown = stage.pages[.browser] ?? makePage(.browser, part: nil)
    shown.view.load(PageAddresses.containerPage("browser.html"))
  }
}

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
