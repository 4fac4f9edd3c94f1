internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Page of the host above the ad: the clickthrough browser, or the player that `playVideo` opens.
///
/// There is one for the screen, independent of the ad that opened it.
@EngineActor final class BrowserController {
  private let followsClickthroughs: Bool
  private let recorder: Recorder
  private let stage: StageController
  private let turns: PageEventDispatcher
  private let playedVideos: VideoPauser
  private let modals: ModalManager
  /// Page that the browser shows in place of the advertiser's own.
  private(set) var notice = SchemeResponse.notFound
  /// Indicates that the player hasn't shown anything yet.
  private var awaitsPlayer = false
  /// Ad whose video the page plays.
  private weak var playing: AdContext?
  /// Factory of pages for the ad that the page was opened for.
  private weak var pages: PageFactory?

  init(
    followsClickthroughs: Bool, recorder: Recorder, stage: StageController, turns: PageEventDispatcher,
    playedVideos: VideoPauser,
    modals: ModalManager
  ) {
    self.followsClickthroughs = followsClickthroughs
    self.recorder = recorder
    self.stage = stage
    self.turns = turns
    self.playedVideos = playedVideos
    self.modals = modals
  }

  /// Indicates if the page plays a video of this ad.
  func playsVideo(of ad: AdContext) -> Bool { playing === ad }

  /// Indicates that the page's video of this ad hasn't shown anything yet.
  func awaitsPlayer(of ad: AdContext) -> Bool { awaitsPlayer && playsVideo(of: ad) }

  /// Creates the page that is about to be shown for an ad, and removes the page of a closed browser or player.
  func prepare(for transition: ModalTransition, with pages: PageFactory) {
    for state in transition.removed where state.displayView == .browser { close() }
    guard stage.pages[.browser] == nil else { return }
    switch transition.top?.kind {
    case .browser(let url): open(url, with: pages)
    case .video(let url): play(url, with: pages)
    default: break
    }
  }

  /// Removes the page.
  private func close() {
    stage.remove(.browser)
    awaitsPlayer = false
    playing = nil
    pages = nil
  }

  private func open(_ url: String, with pages: PageFactory) {
    self.pages = pages
    let opens = "The clickthrough browser would open"
    let ad = pages.context
    guard followsClickthroughs else {
      return show(opens, ad.shown(url), "Nothing was loaded; --follow-clickthroughs loads it.", with: pages)
    }
    do throws(AddressRefusal) {
      let address = try ad.judge(url, for: .clickthrough)
      pages.make(.browser, .host, owner: self).view.load(address.loadable)
    } catch {
      show(opens, ad.shown(url), "Nothing was loaded: \(error).", with: pages)
    }
  }

  /// Plays the video of a `playVideo` call full screen; one of another host only where clickthroughs are followed.
  private func play(_ url: String, with pages: PageFactory) {
    self.pages = pages
    let plays = "The host's player would play"
    let ad = pages.context
    let address: CreativeAddress
    do throws(AddressRefusal) {
      address = try ad.judge(url, for: .video)
    } catch {
      return show(plays, ad.shown(url), "Nothing was loaded: \(error).", with: pages)
    }
    guard followsClickthroughs || ad.addresses.isOwn(address.url) || address.url.hasPrefix("data:") else {
      return show(plays, ad.shown(url), "Nothing was loaded; --follow-clickthroughs loads it.", with: pages)
    }
    let player = PlayerPage(film: VASTLinear(), source: address, isInterstitial: true, isMuted: false) { _ in nil }
    let page = ad.host(player.html(channel: ad.scripts.channel), as: "video")
    awaitsPlayer = true
    playing = ad
    pages.make(.browser, .ads, owner: self).view.load(page)
  }

  /// Shows a note with the address that would be loaded, in the existing page or a new one.
  private func show(_ what: String, _ url: String, _ note: String, with pages: PageFactory) {
    let page = PageScripts.browserPage(what: what, url: url, note: note)
    notice = SchemeResponse(mimeType: "text/html; charset=utf-8", body: page)
    let shown = stage.pages[.browser] ?? pages.make(.browser, .host, owner: self)
    shown.view.load(PageAddresses.containerPage("browser.html"))
  }
}

extension BrowserController: PageOwner {
  func heard(_ message: PlayerMessage, from controller: PageController) {
    guard case .video(let url)? = modals.stack.top?.kind, let pages else { return }
    let page = controller.page
    switch message {
    case .ready:
      // It plays once it was pictured.
      if playedVideos.areHeld { page.sendPlayerCommand("hold('nearest')") }
      turns.pass { [weak page] in page?.sendPlayerCommand("play()") }
      awaitsPlayer = false
    case .report(.failed(let reason), _):
      let address = pages.context.addresses.display(url)
      recorder.record(.host, .playVideoFailed, ["uri": .string(address), "reason": .string(reason)])
      show("The host's player can't play", address, "Why: \(reason).", with: pages)
      awaitsPlayer = false
    case .report, .simid: break
    }
    recorder.wakeWaiters()
  }
}
