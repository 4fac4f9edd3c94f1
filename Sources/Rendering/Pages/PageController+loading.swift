internal import AdManager
internal import Core
internal import Creatives
internal import Engine
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

extension PageController {
  /// Handles the start of the main frame's document.
  func committed(_ url: String) {
    owner?.committed(url, in: page)
    page.hasCommitted = true
    page.isAnswering = false
  }

  /// Handles the end of the main frame's document; its part becomes ready after the work that belongs to the load.
  func finishLoading() {
    guard page.endLoad() else { return }
    if page.part == .one { context.navigation.loaded(at: render.clock.now) }
    guard let part = page.part else {
      page.settleLoad()
      return recorder.wakeWaiters()
    }
    guard part == .two || page.hasCommitted else {
      owner?.loadDidFail(AdError("\(context.addresses.display(page.view.url)) returned no document"))
      return
    }
    Task { @EngineActor [weak self] in
      guard await self?.hasDoneItsLoad() == true, let self, !context.isOver else { return }
      if case .failure = context.loadEnd { return }
      page.settleLoad()
      render.turns.settleLoad()
      page.network?.flush()
      owner?.becameReady(part, page)
    }
  }

  /// Waits for the work that a complete document does at its load; false if it went to another document instead.
  private func hasDoneItsLoad() async -> Bool {
    let page = page
    let document = page.documents
    let longest = Duration.seconds(5)
    let clock = render.clock
    if clock.isVirtual {
      // No time passes, but all that is due is done, and a document that takes this one's place has begun.
      await clock.comes(to: clock.frame)
    } else {
      _ = await recorder.wait(longest) { page.hasDoneLoadWork || page.wasStopped || page.documents != document }
      _ = await recorder.wait(.milliseconds(250)) { page.hasDoneLoadWork || page.documents != document }
    }
    await getFiles(longest) { page.documents != document }
    _ = await recorder.wait(.milliseconds(250)) { page.resourcesHaveEnded || page.documents != document }
    return page.documents == document
  }

  /// Number of round trips to the page in which it receives a file whose end was reported, and asks for the next.
  ///
  /// Both take the way through other processes, which a single round trip has overtaken.
  private static let tripsOfFile = 4

  /// Waits for the creative's files that a document asked for, and for the page's use of them.
  ///
  /// They are reported a moment after the load's end. One may lead to the next; a page that asks endlessly isn't waited
  /// for.
  private func getFiles(_ longest: Duration, unless isGone: @escaping @EngineActor () -> Bool) async {
    let page = page
    for _ in 0..<8 where page.loadPhase != .settled || !page.ownResourcesHaveEnded {
      _ = await recorder.wait(longest) { page.ownResourcesHaveEnded || isGone() }
      for _ in 0..<Self.tripsOfFile {
        page.answer { [recorder] in recorder.wakeWaiters() }
        _ = await recorder.wait(longest) { page.isIdle || isGone() }
      }
      if page.ownResourcesHaveEnded || isGone() { return }
    }
  }

  /// Time of the page for which an image without an answer may delay the end of its document's load.
  private static let silence = Duration.seconds(5)

  /// Ends the load after a while if the document waits only for images whose hosts don't answer.
  ///
  /// Its load event still comes when they do.
  func loadFellSilent() {
    guard page.waitsForImagesAlone else { return }
    let document = page.documents
    // Asked for again, the first to come ends the load.
    Task { @EngineActor [weak self, clock = render.clock] in
      await clock.sleep(for: Self.silence)
      guard let self, !context.isOver, page.documents == document, page.waitsForImagesAlone else { return }
      let image = page.openRequests.first.map { context.addresses.display($0.url) } ?? "an image"
      render.warnings.append("the ad was shown before its load event, which waits for \(image)")
      finishLoading()
    }
  }

  /// Handles a failed load: the main frame stays at its document, if it has one.
  func loadFailed(_ url: String, _ message: String, _ interrupted: Bool) {
    // A navigation that was stopped may have failed before.
    if interrupted || url == page.refusedAddress, page.hasCommitted || page.part != .one {
      return page.hasCommitted ? finishLoading() : ()
    }
    let address = context.addresses.display(url)
    context.record(.page, .loadFailed, ["url": .string(address), "message": .string(message)])
    if page.part == .one, !page.hasCommitted {
      let refusal = render.gateway?.refusal(of: url).map { "its host can't be reached: \($0)" }
      owner?.loadDidFail(AdError("can't load \(address): \(refusal ?? message)"))
    } else {
      finishLoading()
    }
  }
}
