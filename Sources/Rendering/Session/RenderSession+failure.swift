internal import AdExperience
internal import MRAID
internal import WebKitRuntime

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
