internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Feed
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Window in which the user sees the feed: its page, the positions of its cells, and its scroll offset.
@EngineActor final class FeedWindow {
  private let render: RenderContext
  private let pages: PageFactory
  private(set) var document: FeedDocument?
  /// Positions of all cells when they were last measured.
  private(set) var geometry = FeedGeometry()
  /// Queue of changes to the page: cells that change their size.
  private let changes = SerialTaskQueue()
  private(set) var pendingChanges = 0
  /// Cells of the feed.
  weak var delegate: (any FeedWindowDelegate)?

  init(_ pages: PageFactory) {
    self.pages = pages
    render = pages.context.render
  }

  /// Height of the window in dip.
  var height: Double { render.stage.screen.contentArea.height }

  /// Scroll offset of the feed in dip.
  var offset: Double { render.stage.screen.scrollOffset }

  /// Indicates that the user sees the feed: it isn't behind a modal, and the app isn't in the background.
  var isSeen: Bool { render.stage.screen.isForeground && render.modalManager.stack.states.isEmpty }

  /// Nearest offset to the wanted one that the feed can be scrolled to.
  func offset(nearest wanted: Double) -> Double { geometry.offset(nearest: wanted, height: height) }

  /// Cells that are at least partly in the window, even if they are covered.
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

  /// Measures the present positions, and moves the ads there.
  private func measure() async throws(Fault) {
    geometry = try await document?.measure() ?? geometry
    delegate?.placeAds()
  }

  /// Scrolls the feed at once.
  func scroll(to offset: Double) async throws(Fault) {
    render.stage.scroll(to: offset)
    try await document?.scroll(to: offset)
  }

  /// Keeps the content at the window's top in place after the page's layout has changed.
  func preserveScrollPosition() async throws(Fault) {
    let before = geometry
    try await measure()
    let kept = offset(nearest: geometry.offset(keeping: offset, of: before))
    if kept != offset {
      render.recorder.record(.feed, .scrollOffsetPreserved, ["from": .number(offset), "to": .number(kept)])
      try await scroll(to: kept)
    }
    delegate?.contentMoved()
  }

  /// Performs a change to the page after all changes that were requested before.
  func change(_ body: @escaping @EngineActor (FeedDocument) async throws -> Void) {
    pendingChanges += 1
    changes.add { [weak self] in
      // A page that is gone needs no change any more.
      if let document = self?.document { try? await body(document) }
      self?.pendingChanges -= 1
      self?.render.recorder.wakeWaiters()
    }
  }

  /// Removes a cell for good.
  func remove(_ cell: String) {
    change { [weak self] document in
      try await document.remove(cell)
      try await self?.preserveScrollPosition()
    }
  }

  /// Collapses a cell to no height, without moving the visible content.
  func collapse(_ cell: String) {
    change { [weak self] document in
      try await document.collapse(cell)
      try await self?.preserveScrollPosition()
    }
  }

  /// Point on the screen of a selector's first match in the feed's own page, which is searched before the ads; nil for
  /// none.
  func find(_ selector: String) async -> Point? {
    guard render.modalManager.stack.states.isEmpty, let place = await document?.find(selector) else { return nil }
    let area = render.stage.screen.contentArea
    return Point(x: area.x + place.x, y: area.y + place.y - offset)
  }
}

/// Reactions of a feed's cells to changes of their positions.
@EngineActor protocol FeedWindowDelegate: AnyObject {
  /// Moves the ads to the positions that were just measured.
  func placeAds()
  /// Called when the layout has changed under the visible content.
  func contentMoved()
}

/// Performs tasks one after the other.
///
/// A task that waits for another is woken through a different thread, which a virtual clock doesn't see; so one task
/// does all the work.
@EngineActor private final class SerialTaskQueue {
  private var waiting: [@EngineActor () async -> Void] = []
  private var isAtWork = false

  /// Performs the work once all that was added before is done; never within this call.
  func add(_ work: @escaping @EngineActor () async -> Void) {
    waiting.append(work)
    guard !isAtWork else { return }
    isAtWork = true
    Task { @EngineActor in
      while !waiting.isEmpty { await waiting.removeFirst()() }
      isAtWork = false
    }
  }
}
