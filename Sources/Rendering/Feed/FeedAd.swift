internal import AdExperience
internal import Feed
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
