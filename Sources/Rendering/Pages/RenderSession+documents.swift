internal import AdManager
internal import Core
internal import Creatives
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

extension RenderSession {
  /// A document of the page did part of what counts as done by its load.
  func pass(_ mark: LoadMark, _ page: AdPage) {
    page.pass(mark)
    recorder.wakeWaiters()
  }

  /// The main frame's document begins to arrive.
  func committed(_ url: String, _ page: AdPage) {
    // What the engine shows instead of an address that it refuses, such as a port of another protocol's.
    if page.part == .one, bundle.url != nil, loadEnd == nil, url == "about:blank" {
      onCreativeLoaded?(AdError("\(bundle.url ?? url) is refused by the engine"))
    }
    page.hasCommitted = true
    page.isAnswering = false
  }

  /// All of the main frame's document is there; its part gets `ready` once it has done what it does then.
  func finishLoading(_ page: AdPage) {
    guard page.endLoad() else { return }
    if page.part == .one { navigation.loaded(at: clock.now) }
    guard let part = page.part else {
      page.settleLoad()
      return recorder.wakeWaiters()
    }
    guard part == .two || page.hasCommitted else {
      onCreativeLoaded?(AdError("\(addresses.display(page.view.url)) gave no document"))
      return
    }
    Task { @WebKitActor [weak self, weak page] in
      guard let page, await self?.hasDoneItsLoad(page) == true, let self, !isOver else { return }
      if case .failure = loadEnd { return }
      page.settleLoad()
      pageLog.settleLoad()
      page.network?.flush()
      becomeReady(part)
    }
  }

  /// Waits for what a document that is there does at its load; false when it went on to another one instead.
  private func hasDoneItsLoad(_ page: AdPage) async -> Bool {
    let document = page.documents
    let longest = Duration.seconds(5)
    if clock.isVirtual {
      // No time passes, but all that is due is done, and a document that takes this one's place has begun.
      await clock.comes(to: clock.frame)
    } else {
      _ = await recorder.wait(longest) { page.hasDoneLoadWork || page.wasStopped || page.documents != document }
      _ = await recorder.wait(.milliseconds(250)) { page.hasDoneLoadWork || page.documents != document }
    }
    await getFiles(of: page, longest) { page.documents != document }
    _ = await recorder.wait(.milliseconds(250)) { page.resourcesHaveEnded || page.documents != document }
    return page.documents == document
  }

  /// Round trips to the page within which it has a file whose end was told, and has asked for the next: both come to it
  /// and from it by way of other processes, which one trip was seen to overtake.
  private static let tripsOfFile = 4

  /// Waits for the creative's files that a document asked for, which are told a moment after the load's end, and for
  /// what the page does with them. One may lead it to the next; a page that asks without end isn't waited for.
  private func getFiles(
    of page: AdPage, _ longest: Duration, unless isGone: @escaping @WebKitActor () -> Bool
  ) async {
    for _ in 0..<8 where page.loadPhase != .settled || !page.ownResourcesHaveEnded {
      _ = await recorder.wait(longest) { page.ownResourcesHaveEnded || isGone() }
      for _ in 0..<Self.tripsOfFile {
        page.answer { [recorder] in recorder.wakeWaiters() }
        _ = await recorder.wait(longest) { page.isIdle || isGone() }
      }
      if page.ownResourcesHaveEnded || isGone() { return }
    }
  }

  /// The part's page is complete: it gets `ready`.
  private func becomeReady(_ part: AdPart) {
    recorder.record(.page, "loadFinished", named(part == .two ? ["part": "two"] : .object([:])))
    // What it asks for in `ready` waits until it has been shown as it is.
    if part == .one, onCreativeLoaded != nil { awaitShow() }
    creative?.pageDidLoad(part)
    if part == .one { onCreativeLoaded?(nil) }
  }

  /// The main frame stays where it is, if it is anywhere.
  func loadFailed(_ url: String, _ message: String, _ interrupted: Bool, of page: AdPage) {
    // A navigation that was stopped may have failed before.
    if interrupted || url == page.refusedAddress, page.hasCommitted || page.part != .one {
      return page.hasCommitted ? finishLoading(page) : ()
    }
    recorder.record(
      .page, "loadFailed", named(["url": .string(addresses.display(url)), "message": .string(message)]))
    if page.part == .one, !page.hasCommitted {
      let refusal = outlet?.refusal(of: url).map { "its host is not reached: \($0)" }
      onCreativeLoaded?(AdError("\(addresses.display(url)) can't be loaded: \(refusal ?? message)"))
    } else {
      finishLoading(page)
    }
  }
}
