internal import AdManager
internal import Core
internal import Creatives
internal import RenderModel
internal import WebKitRuntime

extension PageController {
  /// Says whether a frame may go somewhere; nowhere once the render has failed.
  func allows(_ request: NavigationRequest) -> Bool {
    guard render.failure == nil else { return false }
    defer { if page.isAds { page.hasStarted = true } }
    return context.navigation.allows(request.url, gesture: request.gesture, of: facts)
  }

  /// The main frame goes somewhere: within the creative that is its own affair, elsewhere it is stopped.
  func loadStarted() {
    let url = page.lastAllowed?.url ?? page.view.url
    let kind = page.lastAllowed?.kind.rawValue ?? "other"
    let mayRedirect = context.bundle.url != nil && context.loadEnd == nil
    let start = context.navigation.starts(url, of: facts, mayRedirect: mayRedirect, at: render.clock.now)
    switch start {
    case .first: beginLoad(at: url)
    case .within, .loop:
      logEvent("navigation", detail(url, kind: kind, gesture: false, allowed: true), as: .departure)
      beginLoad(at: url)
      if case .loop(let documents) = start { endLoop(at: url, documents) }
    case .stopped:
      logEvent("navigation", detail(url, kind: kind, gesture: false, allowed: false), as: .stopped)
      page.refusedAddress = url
      page.view.stopLoading()
    }
  }

  private func beginLoad(at url: String) {
    context.prepareViewport(of: page, at: url)
    page.beginLoad()
  }

  private var facts: NavigationPolicy.Page {
    NavigationPolicy.Page(isAds: page.isAds, hasStarted: page.hasStarted, hasCommitted: page.hasCommitted)
  }

  /// A click that bypassed `mraid.open`: SDKs catch it and open their browser all the same.
  func refused(_ request: NavigationRequest) {
    guard render.failure == nil else { return }
    handleClickthrough(request, "navigation", as: .stopped)
  }

  /// Logs a way out of the page, which isn't gone; with a gesture it is a click.
  func handleClickthrough(_ request: NavigationRequest, _ name: String, as deed: Deed) {
    let detail = detail(request.url, kind: request.kind.rawValue, gesture: request.gesture, allowed: false)
    guard request.gesture else { return logEvent(name, detail, as: deed) }
    logEvent(name, detail, as: deed) { [weak context, page = page.id] in
      context?.delegate?.becameActive()
      context?.delegate?.wasClicked(to: request.url, on: page)
    }
  }

  /// Stops a creative that goes from document to document without an end.
  private func endLoop(at url: String, _ documents: Int) {
    page.refusedAddress = url
    page.view.stopLoading()
    Task { @WebKitActor [weak context, page] in
      // How much of the last documents has come is chance until then.
      _ = await context?.render.recorder.wait(.seconds(1)) { page.ownResourcesHaveEnded }
      context?.delegate?.flushNetwork()
      context?.render.fail(
        .failed, .creative("navigation-loop", "the creative sent itself to \(documents) documents without an end"))
    }
  }

  private func detail(_ url: String, kind: String, gesture: Bool, allowed: Bool) -> JSONValue {
    [
      "url": .string(context.addresses.display(url)), "kind": .string(kind), "gesture": .bool(gesture),
      "allowed": .bool(allowed),
    ]
  }
}
