internal import Bundles
internal import Jobs
internal import MRAID
internal import Stage
internal import WebKitRuntime

extension RenderSession {
  /// Whether the page's viewport meta elements count: a phone reads them, a desktop and some SDKs' views don't.
  func readsViewport(of page: AdPage) -> Bool {
    page.part != nil && job.device.touch && job.container?.behaviour.readsViewport != false
  }

  /// The page goes to a document, which is laid out as its text asks from the start; a web server's isn't known yet.
  func prepareViewport(of page: AdPage, at url: String) {
    guard readsViewport(of: page) else { return }
    page.lay(out: viewport(ofDocumentAt: url) ?? Viewport())
  }

  /// The page's document has another viewport meta element.
  func heed(_ mark: ViewportMark, of page: AdPage) {
    if readsViewport(of: page) { page.lay(out: mark.viewport) }
  }

  private func viewport(ofDocumentAt url: String) -> Viewport? {
    guard addresses.isOwn(url),
      let document = try? bundle.resource(path: String(url.dropFirst(addresses.origin.count)))
    else { return nil }
    return document.viewport.map { Viewport(content: $0) }
  }
}
