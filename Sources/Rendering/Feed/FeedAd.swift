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
  let place: AdSlotSpec
  var machine: AdCellState
  /// The ad that is shown.
  var session: AdSession?
  /// The ad that loads, or has loaded and isn't shown yet.
  var coming: AdSession?
  /// Waits for the end of the ad's turn.
  var turn: Task<Void, Never>?

  init(id: String, place: AdSlotSpec, rotation: Double?) {
    self.id = id
    self.place = place
    machine = AdCellState(rotation: rotation)
  }

  /// Both.
  var sessions: [AdSession] { [session, coming].compactMap { $0 } }
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
