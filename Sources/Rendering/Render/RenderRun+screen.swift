internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

extension RenderRun: StageDelegate {
  func stageWillPresent(_ transition: ModalTransition) {
    render.turns.hold()
    if let content = render.content {
      render.browser.prepare(for: transition, with: content.activeAd?.pages ?? content.pages)
    }
    feed?.screenWillChange(to: transition)
  }

  func stageDidPresent() {
    let ad = render.content?.activeAd
    ad?.html.startSecondPart()
    feed?.screenDidChange()
    // Of an ad that unloaded itself its own picture is taken.
    if render.content?.activeAd?.html.creative?.session.isUnloaded != true { screenshots.request(nameOfScreen) }
    render.turns.release()
  }

  func stageDidReplaceAd() { screenshots.request(nameOfScreen) }

  func stageDidChange() {
    guard job.measuresByOMID else { return }
    for session in render.content?.sessions ?? [] { for one in session.context.measured { one.screenDidChange() } }
  }
}

/// Content of the screen, with its name for screenshots.
extension RenderRun {
  /// Ads that are shown or about to be shown.
  var shownAds: [AdSession] { feed?.shownAds ?? ad.map { [$0] } ?? [] }

  /// Name for screenshots of the screen in its present state.
  var nameOfScreen: String {
    switch render.modalManager.stack.top?.kind {
    case .browser: "browser"
    case .video: "video"
    default: nameOfAd
    }
  }

  private var nameOfAd: String {
    let state = (render.activeState ?? .default).rawValue
    guard let view = render.stage.topAdPage?.id else { return state }
    let videos = (render.content?.sessions ?? []).map(\.video)
    if videos.contains(where: { $0.playedVideos[view] != nil }) { return "video" }
    return videos.contains { $0.card(in: view) != nil } ? "end-card" : state
  }

  /// Shows in the ad's place that there is no ad, as an app under test does, and takes a screenshot of it.
  func showFailure(_ error: AdError) async {
    guard render.failure == nil else { return }
    let page = PageScripts.failurePage(code: error.code, message: error.description)
    failurePage = SchemeResponse(mimeType: "text/html; charset=utf-8", body: page)
    render.webSession.serve(host: PageAddresses.containerHost) { [weak self] _ in self?.failurePage ?? .notFound }
    guard let shown = ad?.pages.make(.failure, .host, owner: nil) else { return }
    shown.view.load(PageAddresses.containerPage("failure.html"))
    _ = await render.recorder.wait(.seconds(10)) { shown.isLoaded }
    render.stage.show(.failure)
    await render.stage.layOutPages()
    do {
      try await render.capturer.capture("failed", state: render.activeState ?? .default)
    } catch {
      render.warnings.append("no screenshot of the failure: \(error)")
    }
  }
}

extension AdViewID {
  /// View that is shown in place of an ad that couldn't be loaded.
  fileprivate static let failure = AdViewID(rawValue: "failure")
}
