internal import Jobs
internal import WebKitRuntime

extension RenderSession {
  /// Ends the web process under pages that may never answer again.
  func terminate() {
    for page in stage.pages.values { page.view.terminate() }
  }

  /// Lets go of every page; with `endsWebProcess` nothing of the creative runs on.
  func tearDown(endsWebProcess: Bool) {
    isOver = true
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
