internal import AdExperience
internal import WebKitRuntime

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
