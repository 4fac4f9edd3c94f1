internal import AdManager
internal import Core
internal import Device
internal import Feed
internal import RenderModel
internal import WebKitRuntime

/// The window that a person sees the feed through: its page, where the cells stand, and how far it is scrolled.
@WebKitActor final class FeedWindow {
  private let render: RenderContext
  private let pages: PageFactory
  private(set) var document: FeedDocument?
  /// Where everything stood when it was last looked at.
  private(set) var geometry = FeedGeometry()
  /// What is done to the page one after the other: cells that change their size.
  private let changes = SerialTaskQueue()
  private(set) var pendingChanges = 0
  /// Told of each look at where everything stands, and when the layout changed under what is seen.
  var onMeasured: () -> Void = {}
  var onMoved: () -> Void = {}

  init(_ pages: PageFactory) {
    self.pages = pages
    render = pages.context.render
  }

  /// How tall it is.
  var height: Double { render.stage.screen.contentArea.height }

  /// How far the feed is scrolled.
  var offset: Double { render.stage.screen.scrollOffset }

  /// Whether a person sees the feed: not behind a modal, and not in the background.
  var isSeen: Bool { render.stage.screen.isForeground && render.modalManager.stack.states.isEmpty }

  /// The offset next to a wanted one that the feed can be scrolled to.
  func offset(nearest wanted: Double) -> Double { geometry.offset(nearest: wanted, height: height) }

  /// Cells of which something is in the window, whatever covers it.
  var cells: [FeedGeometry.Cell] { geometry.cells(from: offset, height: height) }

  /// Draws the page that is served, at its top.
  func draw() async throws(Fault) {
    render.stage.remove(.feed)
    let page = pages.make(.feed, .host, owner: nil)
    document = FeedDocument(page: page)
    page.view.load(pages.context.addresses.hostPage("/index.html"))
    guard await render.recorder.wait(.seconds(20), until: { page.isLoaded }) else {
      throw .engine("feed-not-drawn", "the feed's page didn't load")
    }
    render.stage.scroll(to: 0)
    try await measure()
  }

  /// Looks where everything stands now, and moves the ads there.
  private func measure() async throws(Fault) {
    geometry = try await document?.measure() ?? geometry
    onMeasured()
  }

  /// Moves the feed under the window at once.
  func scroll(to offset: Double) async throws(Fault) {
    render.stage.scroll(to: offset)
    try await document?.scroll(to: offset)
  }

  /// The page's layout has changed: what stood at the window's top stays there.
  func preserveScrollPosition() async throws(Fault) {
    let before = geometry
    try await measure()
    let kept = offset(nearest: geometry.offset(keeping: offset, of: before))
    if kept != offset {
      render.recorder.record(.feed, "scrollOffsetPreserved", ["from": .number(offset), "to": .number(kept)])
      try await scroll(to: kept)
    }
    onMoved()
  }

  /// Does something to the page, after everything asked for before.
  func change(_ body: @escaping @WebKitActor (FeedDocument) async throws -> Void) {
    pendingChanges += 1
    changes.add { [weak self] in
      // A page that is gone needs no change any more.
      if let document = self?.document { try? await body(document) }
      self?.pendingChanges -= 1
      self?.render.recorder.wakeWaiters()
    }
  }

  /// Takes a cell away for good.
  func remove(_ cell: String) {
    change { [weak self] document in
      try await document.remove(cell)
      try await self?.preserveScrollPosition()
    }
  }

  /// Takes the height of a cell away, without moving what is seen.
  func collapse(_ cell: String) {
    change { [weak self] document in
      try await document.collapse(cell)
      try await self?.preserveScrollPosition()
    }
  }

  /// Where a selector's first match stands on the screen: the feed's page is looked through before the ads on it.
  func find(_ selector: String) async -> Point? {
    guard render.modalManager.stack.states.isEmpty, let place = await document?.find(selector) else { return nil }
    let area = render.stage.screen.contentArea
    return Point(x: area.x + place.x, y: area.y + place.y - offset)
  }
}

/// Does one thing after the other.
///
/// Who waits for a task before is woken by way of another thread, which a clock that is stepped doesn't see; so one
/// task does all that waits.
@WebKitActor private final class SerialTaskQueue {
  private var waiting: [@WebKitActor () async -> Void] = []
  private var isAtWork = false

  /// Does it once all that was added before is done; in a later turn than this.
  func add(_ work: @escaping @WebKitActor () async -> Void) {
    waiting.append(work)
    guard !isAtWork else { return }
    isAtWork = true
    Task { @WebKitActor in
      while !waiting.isEmpty { await waiting.removeFirst()() }
      isAtWork = false
    }
  }
}
