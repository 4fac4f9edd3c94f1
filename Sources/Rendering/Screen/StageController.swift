internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import MRAID
internal import WebKitRuntime

/// Keeps the simulated screen consistent with the modal stack and the slot, and the web views with the screen.
@EngineActor final class StageController {
  private(set) var screen: Screen
  private(set) var pages: [AdViewID: AdPage] = [:]
  /// Controllers of the pages, kept as long as the pages.
  private var controllers: [AdViewID: PageController] = [:]
  private var modals: [ModalState] = []
  /// View in the banner's slot; nil while it is empty.
  private var slotView: AdViewID?
  /// Orientation of the app before an ad changed it; nil if none did.
  private var orientationBefore: AppOrientation?
  /// Indicates that the ad forbids rotation while it is expanded or an interstitial.
  private(set) var orientationIsLocked = false
  /// Receiver of the screen's changes.
  weak var delegate: (any StageDelegate)?

  private let clock: RenderClock

  init(screen: Screen, clock: RenderClock = RenderClock()) {
    self.clock = clock
    self.screen = screen
    applyScreen()
  }

  func add(_ controller: PageController) {
    pages[controller.page.id] = controller.page
    controllers[controller.page.id] = controller
    layOut()
  }

  func remove(_ id: AdViewID) {
    pages[id] = nil
    controllers[id] = nil
  }

  /// Topmost visible page of the ad itself.
  var topAdPage: AdPage? {
    let layer = screen.feed == nil ? screen.layers.last { $0.kind == .ad && $0.viewID != nil } : screen.mostVisibleAd
    return layer?.viewID.flatMap { pages[$0] } ?? pages[.creative]
  }

  /// Topmost page: that of the browser or player, else the ad's.
  var topPage: AdPage? {
    if screen.feed != nil, modals.isEmpty { return pages[.feed] }
    let layer = screen.layers.last { $0.viewID != nil }
    return layer?.viewID.flatMap { pages[$0] } ?? pages[.creative]
  }

  /// Pages that can be visible on the screen, from bottom to top.
  var pagesOnScreen: [AdPage] {
    screen.layers.filter { screen.shownFrame(of: $0) != nil }.compactMap { $0.viewID.flatMap { pages[$0] } }
  }

  /// Geometry of the screen as it is reported to an ad.
  func geometry(of view: AdViewID) -> HostGeometry {
    screen.geometry(
      defaultFrame: screen.slotFrame(of: view),
      currentFrame: screen.layer(showing: view)?.frame ?? screen.slotFrame(of: view),
      orientationLocked: orientationIsLocked)
  }

  /// Rotates the device as a user would; false if the ad has locked the orientation.
  func rotate(to orientation: AppOrientation) async -> Bool {
    guard !orientationIsLocked else { return false }
    orientationBefore = orientationBefore == nil ? nil : orientation
    turn(to: orientation)
    await layOutPages()
    return true
  }

  /// Applies the orientation that an expanded or interstitial ad asks for.
  func apply(_ wishes: OrientationProperties) {
    orientationIsLocked = !wishes.allowOrientationChange
    let wanted: AppOrientation? =
      switch wishes.forceOrientation {
      case .portrait: .portrait
      case .landscape: .landscape
      case .none: nil
      }
    guard let wanted, wanted != screen.orientation else { return }
    if orientationBefore == nil { orientationBefore = screen.orientation }
    turn(to: wanted)
  }

  /// Removes the ad's lock and restores the orientation before it.
  func restoreOrientation() {
    orientationIsLocked = false
    if let before = orientationBefore { turn(to: before) }
    orientationBefore = nil
  }

  func scroll(to offset: Double) {
    screen.scrollOffset = offset
    layOut()
  }

  /// Moves, shows or hides ads in the feed, if the host page is a feed.
  func updateFeed(_ change: (inout PlaceholderPlaces) -> Void) {
    guard var feed = screen.feed else { return }
    change(&feed)
    guard feed != screen.feed else { return }
    screen.feed = feed
    layOut()
  }

  func setForeground(_ isForeground: Bool) {
    screen.isForeground = isForeground
    for page in pages.values { page.view.setVisible(isForeground) }
    delegate?.stageDidChange()
  }

  /// Waits until every page on the screen is laid out at its size.
  func layOutPages() async {
    layOut()
    for page in pages.values where screen.layer(showing: page.id) != nil { await page.laidOut(clock) }
  }

  private func turn(to orientation: AppOrientation) {
    guard orientation != screen.orientation else { return }
    screen.orientation = orientation
    applyScreen()
    layOut()
    guard screen.device.touch else { return }
    for page in pages.values { page.turned(to: orientation) }
  }

  private func applyScreen() {
    WebKitEngine.setScreen(
      width: Bounded.int(screen.size.width, in: WebView.sides),
      height: Bounded.int(screen.size.height, in: WebView.sides), scale: screen.device.renderScale)
  }

  private func layOut() {
    screen.layers = screen.layers(slotView: slotView, modals: modals)
    for layer in screen.layers {
      guard let id = layer.viewID, let page = pages[id] else { continue }
      page.resize(width: layer.viewFrame.width, height: layer.viewFrame.height)
    }
    delegate?.stageDidChange()
  }
}

/// Receiver of the changes of a render's screen.
@EngineActor protocol StageDelegate: AnyObject {
  /// Called before a modal transition changes anything.
  func stageWillPresent(_ transition: ModalTransition)
  /// Called after every modal transition once its views are laid out.
  func stageDidPresent()
  /// Called when the slot shows the ad's next view.
  func stageDidReplaceAd()
  /// Called after every change of the visible parts of views.
  func stageDidChange()
}

extension StageController: @EngineActor ModalPresenter {
  func present(_ transition: ModalTransition) {
    delegate?.stageWillPresent(transition)
    modals = transition.states
    layOut()
  }

  func layOut(completion: @escaping () -> Void) {
    Task { @EngineActor in
      await layOutPages()
      completion()
      delegate?.stageDidPresent()
    }
  }
}

extension StageController: @EngineActor AdSlot {
  func show(_ view: AdViewID) {
    let replaced = slotView
    slotView = view
    layOut()
    if let replaced, replaced != view { delegate?.stageDidReplaceAd() }
  }

  func clear() {
    slotView = nil
    layOut()
  }
}
