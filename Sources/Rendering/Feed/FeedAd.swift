internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Feed
internal import RenderModel
internal import WebKitRuntime

/// An ad's cell while the feed lives: what it does, and which ad is in it.
@WebKitActor final class FeedAd {
  let id: String
  let place: AdPlace
  var machine: AdCellMachine
  /// The ad that is shown.
  var session: RenderSession?
  /// The ad that loads, or has loaded and isn't shown yet.
  var coming: RenderSession?
  /// Waits for the end of the ad's turn.
  var turn: Task<Void, Never>?

  init(id: String, place: AdPlace, rotation: Double?) {
    self.id = id
    self.place = place
    machine = AdCellMachine(rotation: rotation)
  }

  /// Both.
  var sessions: [RenderSession] { [session, coming].compactMap { $0 } }
}

/// One of the creatives that fill a feed's slots in turn.
struct FeedCreative {
  let reference: CreativeReference
  /// What it is, or why it can't be opened.
  let bundle: Result<CreativeBundle, Fault>
}

/// An ad's place in the feed, as its manager sees it.
@WebKitActor final class FeedCellSlot {
  private let stage: StageController
  private let onRequest: () -> Void
  private let onReplaced: () -> Void
  private var view: AdViewID?

  /// A place whose owner gets another ad when the one in it took itself away, and hears of the ad's next view.
  init(stage: StageController, onRequest: @escaping () -> Void, onReplaced: @escaping () -> Void) {
    self.stage = stage
    self.onRequest = onRequest
    self.onReplaced = onReplaced
  }
}

extension FeedCellSlot: @WebKitActor AdSlot {
  func show(_ view: AdViewID) {
    let replaced = self.view
    self.view = view
    stage.updateFeed { $0.shown = $0.shown.filter { $0 != view && $0 != replaced } + [view] }
    if let replaced, replaced != view { onReplaced() }
  }

  func requestAd() { onRequest() }

  func clear() {
    let gone = view
    view = nil
    stage.updateFeed { $0.shown.removeAll { $0 == gone } }
  }
}

extension RenderSession {
  /// What the ad does next is what the screen and the host's own pages are about.
  func becomeActive() { host?.feed?.active = self }

  /// The creative that the screen is about: of a feed the one that did something last.
  var activeCreative: HTMLCreative? { feed == nil ? creative : feed?.active?.creative }

  /// Its ad manager.
  var activeManager: AdViewManager { feed?.active?.manager ?? manager }

  /// Holds back what the ad does until it is shown.
  func awaitShow() {
    guard !awaitsShow else { return }
    awaitsShow = true
    gate.hold()
  }

  /// The ad is on the screen, or never will be.
  func endAwaitingShow() {
    guard awaitsShow else { return }
    awaitsShow = false
    gate.release()
  }

  /// Every view that the ad has, or may have.
  var viewsOfAd: [AdViewID] {
    let others = Array(video.films.keys) + Array(video.cards.keys)
    return [views.page, views.secondPart] + others.sorted { $0.rawValue < $1.rawValue }
  }

  /// Pages of the ad's that are there.
  var pagesOfAd: [AdPage] { viewsOfAd.compactMap { stage.pages[$0] } }

  /// The film that a view plays, of this ad or of one in its feed.
  func film(_ view: AdViewID) -> Film? { video.films[view] ?? feed?.ad(showing: view)?.video.films[view] }

  /// Lets go of the feed, which holds this session.
  func endFeed() {
    feed?.watch?.cancel()
    feed?.tearDown()
    feed = nil
  }
}
