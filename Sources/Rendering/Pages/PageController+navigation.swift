internal import AdManager
internal import Core
internal import Creatives
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

extension PageController {
  /// Indicates if a frame may go to an address; never once the render has failed.
  func allows(_ request: NavigationRequest) -> Bool {
    guard render.failure == nil else { return false }
    defer { if page.isAds { page.hasStarted = true } }
    return context.navigation.allows(request.url, gesture: request.gesture, of: facts)
  }

  /// Handles a navigation of the main frame: allowed within the creative, stopped elsewhere.
  func loadStarted() {
    let url = page.lastAllowed?.url ?? page.view.url
    let kind = page.lastAllowed?.kind.rawValue ?? "other"
    let mayRedirect = context.bundle.url != nil && context.loadEnd == nil
    let start = context.navigation.starts(url, of: facts, mayRedirect: mayRedirect, at: render.clock.now)
    switch start {
    case .first: beginLoad(at: url)
    case .within, .loop:
      logEvent(.navigation, detail(url, kind: kind, gesture: false, allowed: true), as: .departure)
      warnOfReplacement(kind)
      beginLoad(at: url)
      if case .loop(let documents) = start { endLoop(at: url, documents) }
    case .stopped:
      logEvent(.navigation, detail(url, kind: kind, gesture: false, allowed: false), as: .stopped)
      page.refusedAddress = url
      page.view.stopLoading()
    }
  }

  /// Warns once if a loaded ad replaces its document, in which MRAID doesn't start again.
  private func warnOfReplacement(_ kind: String) {
    guard context.loadEnd != nil else { return }
    let isReload = kind == NavigationRequest.Kind.reload.rawValue
    let cause = isReload ? "reloaded its document" : "left its document for another"
    let text = "the ad \(cause) after it had loaded; the new document gets no MRAID ready event"
    if !(render.warnings + context.warnings).contains(text) { context.warn(text) }
  }

  private func beginLoad(at url: String) {
    context.prepareViewport(of: page, at: url)
    page.beginLoad()
  }

  private var facts: NavigationPolicy.Page {
    NavigationPolicy.Page(isAds: page.isAds, hasStarted: page.hasStarted, hasCommitted: page.hasCommitted)
  }

  /// Handles a click that bypassed `mraid.open`, which SDKs open in their browser all the same.
  func refused(_ request: NavigationRequest) {
    guard render.failure == nil else { return }
    handleClickthrough(request, .navigation, as: .stopped)
  }

  /// Logs an attempt to leave the page, which stays; with a gesture it is a click.
  func handleClickthrough(_ request: NavigationRequest, _ name: Event.Name, as deed: Deed) {
    let detail = detail(request.url, kind: request.kind.rawValue, gesture: request.gesture, allowed: false)
    guard request.gesture else { return logEvent(name, detail, as: deed) }
    logEvent(name, detail, as: deed) { [weak context, page = page.id] in
      context?.delegate?.becameActive()
      context?.delegate?.wasClicked(to: request.url, on: page)
    }
  }

  /// Fails a creative that goes endlessly from document to document.
  private func endLoop(at url: String, _ documents: Int) {
    page.refusedAddress = url
    page.view.stopLoading()
    Task { @EngineActor [weak context, page] in
      // How much of the last documents has come is chance until then.
      _ = await context?.render.recorder.wait(.seconds(1)) { page.ownResourcesHaveEnded }
      context?.delegate?.flushNetwork()
      context?.render.fail(
        .creative("navigation-loop", "the creative navigated to \(documents) documents in an endless loop"))
    }
  }

  private func detail(_ url: String, kind: String, gesture: Bool, allowed: Bool) -> JSONValue {
    [
      "url": .string(context.addresses.display(url)), "kind": .string(kind), "gesture": .bool(gesture),
      "allowed": .bool(allowed),
    ]
  }
}
