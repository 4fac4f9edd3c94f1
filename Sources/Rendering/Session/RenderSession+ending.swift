internal import AdExperience
internal import Jobs
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
