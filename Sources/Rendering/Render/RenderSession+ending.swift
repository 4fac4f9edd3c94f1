internal import AdManager
internal import MRAID
internal import WebKitRuntime

extension RenderSession {
  /// Whether a script of the creative has kept its web process busy for the last quarter second.
  func isHung() async -> Bool {
    guard let view = stage.pages[feed == nil ? views.page : .feed]?.view else { return false }
    var answered = false
    let ping = Task { @WebKitActor in
      if (try? await view.call("return 1")) != nil { answered = true }
    }
    defer { ping.cancel() }
    // Of the machine's time: the creative's own may stand still for ever.
    try? await Task.sleep(for: .milliseconds(250))
    return !answered
  }

  /// Ends the web process under pages that may never answer again.
  func terminate() {
    for page in stage.pages.values { page.view.terminate() }
  }

  /// Lets go of every page; with `endsWebProcess` nothing of the creative runs on.
  func tearDown(endsWebProcess: Bool) {
    isOver = true
    onCreativeLoaded?(AdError("the render is over"))
    endFeed()
    if endsWebProcess { terminate() }
    for page in stage.pages.values {
      page.view.onEvent = nil
      page.view.decideNavigation = nil
      stage.remove(page.id)
    }
    webSession.stopServing(host: addresses.host)
    webSession.stopServing(host: PageAddresses.containerHost)
    webSession.onDownload = nil
    creative = nil
    onFailure = nil
  }
}

extension RenderSession {
  /// Shows in the ad's place that there is no ad, as an app under test does, and takes a picture of it.
  func showFailure(_ error: AdError) async {
    guard failure == nil else { return }
    let page = PageScripts.failurePage(code: error.code, message: error.description)
    failurePage = SchemeResponse(mimeType: "text/html; charset=utf-8", body: page)
    webSession.serve(host: PageAddresses.containerHost) { [weak self] _ in self?.failurePage ?? .notFound }
    let shown = makePage(.failure, part: nil)
    shown.view.load(PageAddresses.containerPage("failure.html"))
    _ = await recorder.wait(.seconds(10)) { shown.isLoaded }
    stage.show(.failure)
    await stage.layOutPages()
    do {
      try await photographer.take("failed", state: creative?.session.state ?? .default)
    } catch {
      warnings.append("no picture of the failure: \(error)")
    }
  }
}

extension AdViewID {
  /// What stands where the ad would have been.
  static let failure = AdViewID(rawValue: "failure")
}
