internal import AdManager
internal import Core
internal import Creatives
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

extension PageController {
  /// The main frame's document begins to arrive.
  func committed(_ url: String) {
    owner?.committed(url, in: page)
    page.hasCommitted = true
    page.isAnswering = false
  }

  /// All of the main frame's document is there; its part gets `ready` once it has done what it does then.
  func finishLoading() {
    guard page.endLoad() else { return }
    if page.part == .one { context.navigation.loaded(at: render.clock.now) }
    guard let part = page.part else {
      page.settleLoad()
      return recorder.wakeWaiters()
    }
    guard part == .two || page.hasCommitted else {
      owner?.loadDidFail(AdError("\(context.addresses.display(page.view.url)) gave no document"))
      return
    }
    Task { @WebKitActor [weak self] in
      guard await self?.hasDoneItsLoad() == true, let self, !context.isOver else { return }
      if case .failure = context.loadEnd { return }
      page.settleLoad()
      render.turns.settleLoad()
      page.network?.flush()
      owner?.becameReady(part, page)
    }
  }

  /// Waits for what a document that is there does at its load; false when it went on to another one instead.
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

  /// Round trips to the page within which it has a file whose end was told, and has asked for the next: both come to it
  /// and from it by way of other processes, which one trip was seen to overtake.
  private static let tripsOfFile = 4

  /// Waits for the creative's files that a document asked for, which are told a moment after the load's end, and for
  /// what the page does with them. One may lead it to the next; a page that asks without end isn't waited for.
  private func getFiles(_ longest: Duration, unless isGone: @escaping @WebKitActor () -> Bool) async {
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

  /// Of a page's time, how long an image that nobody answers for may keep its document from being loaded.
  private static let silence = Duration.seconds(5)

  /// Time goes on: where the document waits for nothing but images whose hosts don't answer, it is taken as loaded in a
  /// while, as it stands. Its load event still comes when they do.
  func loadFellSilent() {
    guard page.waitsForImagesAlone else { return }
    let document = page.documents
    // Asked for again, the first to come ends the load.
    Task { @WebKitActor [weak self, clock = render.clock] in
      await clock.sleep(for: Self.silence)
      guard let self, !context.isOver, page.documents == document, page.waitsForImagesAlone else { return }
      let image = page.openRequests.first.map { context.addresses.display($0.url) } ?? "an image"
      render.warnings.append("the ad was shown without its load event, which waits for \(image)")
      finishLoading()
    }
  }

  /// The main frame stays where it is, if it is anywhere.
  func loadFailed(_ url: String, _ message: String, _ interrupted: Bool) {
    // A navigation that was stopped may have failed before.
    if interrupted || url == page.refusedAddress, page.hasCommitted || page.part != .one {
      return page.hasCommitted ? finishLoading() : ()
    }
    let address = context.addresses.display(url)
    context.record(.page, "loadFailed", ["url": .string(address), "message": .string(message)])
    if page.part == .one, !page.hasCommitted {
      let refusal = render.gateway?.refusal(of: url).map { "its host is not reached: \($0)" }
      owner?.loadDidFail(AdError("\(address) can't be loaded: \(refusal ?? message)"))
    } else {
      finishLoading()
    }
  }
}
