internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Engine
internal import Feed
internal import RenderModel
internal import WebKitRuntime

/// State of an ad's cell while the feed exists: its state machine and its ads.
@EngineActor final class FeedAd {
  let id: String
  let place: AdSlotSpec
  var machine: AdCellState
  /// Ad that is shown.
  var session: AdSession?
  /// Ad that is loading, or has loaded and isn't shown yet.
  var coming: AdSession?
  /// Task that waits for the end of the ad's turn.
  var turn: Task<Void, Never>?

  init(id: String, place: AdSlotSpec, rotation: Double?) {
    self.id = id
    self.place = place
    machine = AdCellState(rotation: rotation)
  }

  /// The shown and the coming ad, as far as they exist.
  var sessions: [AdSession] { [session, coming].compactMap { $0 } }
}

/// Ad's place in the feed, as its manager uses it.
@EngineActor final class FeedCellSlot {
  private let stage: StageController
  /// Cell in which the slot is.
  private weak var ad: FeedAd?
  private weak var cells: (any FeedAdSupplyDelegate)?
  private weak var screenshots: ScreenshotScheduler?
  private var view: AdViewID?

  /// Creates the slot of a cell, which asks `cells` for another ad if the one in it removed itself.
  init(
    of ad: FeedAd, stage: StageController, cells: (any FeedAdSupplyDelegate)?, screenshots: ScreenshotScheduler
  ) {
    (self.ad, self.stage, self.cells, self.screenshots) = (ad, stage, cells, screenshots)
  }
}

extension FeedCellSlot: @EngineActor AdSlot {
  func show(_ view: AdViewID) {
    let replaced = self.view
    self.view = view
    stage.updateFeed { $0.shown = $0.shown.filter { $0 != view && $0 != replaced } + [view] }
    if let replaced, replaced != view { screenshots?.request("end-card") }
  }

  func requestAd() {
    if let ad { cells?.wantsNextAd(ad) }
  }

  func clear() {
    let gone = view
    view = nil
    stage.updateFeed { $0.shown.removeAll { $0 == gone } }
  }
}
