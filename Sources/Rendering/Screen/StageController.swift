internal import AdManager
internal import Core
internal import Device
internal import MRAID
internal import WebKitRuntime

/// Keeps the simulated screen in step with the modal stack and the slot, and the web views in step with the screen.
@WebKitActor final class StageController {
  private(set) var screen: Screen
  private(set) var pages: [AdViewID: AdPage] = [:]
  /// What hears of each page, as long as it is there.
  private var controllers: [AdViewID: PageController] = [:]
  private var modals: [ModalState] = []
  /// The view in the banner's slot, nil while it is empty.
  private var slotView: AdViewID?
  /// How the app stood before an ad turned it.
  private var orientationBefore: AppOrientation?
  /// Whether the ad forbids turning while it is expanded or an interstitial.
  private(set) var orientationIsLocked = false
  /// Told of every modal transition once its views are laid out.
  var onPresented: (() -> Void)?
  /// Told when the slot shows the ad's next view.
  var onReplaced: (() -> Void)?
  /// Told of every change of what can be seen of the views.
  var onChanged: (() -> Void)?
  /// Told before anything changes.
  var onPresenting: ((ModalTransition) -> Void)?

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

  /// The page a person sees topmost of the ad itself.
  var topAdPage: AdPage? {
    let layer = screen.feed == nil ? screen.layers.last { $0.kind == .ad && $0.viewID != nil } : screen.mostVisibleAd
    return layer?.viewID.flatMap { pages[$0] } ?? pages[.creative]
  }

  /// What is on top: the browser's or player's page, else the ad's.
  var topPage: AdPage? {
    if screen.feed != nil, modals.isEmpty { return pages[.feed] }
    let layer = screen.layers.last { $0.viewID != nil }
    return layer?.viewID.flatMap { pages[$0] } ?? pages[.creative]
  }

  /// Every page of which something can be on the screen, bottom to top.
  var pagesOnScreen: [AdPage] {
    screen.layers.filter { screen.shownFrame(of: $0) != nil }.compactMap { $0.viewID.flatMap { pages[$0] } }
  }

  /// What an ad is told of the screen.
  func geometry(of view: AdViewID) -> HostGeometry {
    screen.geometry(
      defaultFrame: screen.slotFrame(of: view),
      currentFrame: screen.layer(showing: view)?.frame ?? screen.slotFrame(of: view),
      orientationLocked: orientationIsLocked)
  }

  /// Turns the device as a person would; false when the ad has locked it.
  func rotate(to orientation: AppOrientation) async -> Bool {
    guard !orientationIsLocked else { return false }
    orientationBefore = orientationBefore == nil ? nil : orientation
    turn(to: orientation)
    await layOutPages()
    return true
  }

  /// Does what an expanded or interstitial ad asks for.
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

  /// Undoes what an ad did to the orientation.
  func restoreOrientation() {
    orientationIsLocked = false
    if let before = orientationBefore { turn(to: before) }
    orientationBefore = nil
  }

  func scroll(to offset: Double) {
    screen.scrollOffset = offset
    layOut()
  }

  /// Moves, shows or hides ads in the feed, if that is what the host page is.
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
    onChanged?()
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
    onChanged?()
  }
}

extension StageController: @WebKitActor ModalPresenter {
  func present(_ transition: ModalTransition) {
    onPresenting?(transition)
    modals = transition.states
    layOut()
  }

  func layOut(completion: @escaping () -> Void) {
    Task { @WebKitActor in
      await layOutPages()
      completion()
      onPresented?()
    }
  }
}

extension StageController: @WebKitActor AdSlot {
  func show(_ view: AdViewID) {
    let replaced = slotView
    slotView = view
    layOut()
    if let replaced, replaced != view { onReplaced?() }
  }

  func clear() {
    slotView = nil
    layOut()
  }
}
