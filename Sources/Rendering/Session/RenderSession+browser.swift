internal import AdExperience
internal import Bundles
internal import Jobs
internal import MRAID
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
