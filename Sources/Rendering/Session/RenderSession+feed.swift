internal import AdExperience
internal import WebKitRuntime

extension RenderSession {
  /// What the ad does next is what the screen and the host's own pages are about.
  func becomeActive() { host?.feed?.active = self }

  /// The creative that the screen is about: of a feed the one that did something last.
  var activeCreative: HTMLCreative? { feed == nil ? creative : feed?.active?.creative }

  /// Its ad manager.
  var activeManager: AdViewManager { feed?.active?.manager ?? manager }

  /// Lets go of the feed, which holds this session.
  func endFeed() {
    feed?.tearDown()
    feed = nil
  }
}
