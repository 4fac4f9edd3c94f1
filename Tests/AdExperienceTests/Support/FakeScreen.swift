import AdExperience
import MRAID

/// A phone's screen without pixels: the slot and the modal states; answers at once, or when told to.
final class FakeScreen: ModalPresenter, ModalManagerListener, AdSlot {
  static let maxSize = Size(width: 390, height: 760)
  static let slotFrame = Rect(x: 35, y: 300, width: 320, height: 50)

  let journal: Journal
  private(set) var modals: [ModalState] = []
  private(set) var slotView: AdViewID?
  var isForeground = true
  var orientation = AppOrientation.portrait
  var orientationLocked = false
  /// Whether completions wait for `finish`.
  var isSlow = false
  /// Completions that haven't run, oldest first.
  private var unfinished: [() -> Void] = []
  /// What the app does when the slot asks for an ad.
  var onRequest: (() -> Void)?

  init(journal: Journal) { self.journal = journal }

  func present(_ transition: ModalTransition, completion: @escaping () -> Void) {
    modals = transition.states
    if isSlow { unfinished.append(completion) } else { completion() }
  }

  func modalManager(didApply transition: ModalTransition) {
    journal.note("\(transition.operation) \(transition.states.map(\.kind.name))")
  }

  func show(_ view: AdViewID) {
    slotView = view
    journal.note("slot \(view.rawValue)")
  }

  func clear() {
    slotView = nil
    journal.note("slot empty")
  }

  func requestAd() {
    journal.note("requestAd")
    onRequest?()
  }

  /// Everything that waits is laid out now, and whatever that leads to.
  func finish() {
    while !unfinished.isEmpty { unfinished.removeFirst()() }
  }

  /// The kinds on the stack, bottom to top.
  var kinds: [String] { modals.map(\.kind.name) }

  func geometry(of view: AdViewID, isInterstitial: Bool) -> HostGeometry {
    let full = Rect(origin: .zero, size: orientation == .landscape ? Self.maxSize.turned : Self.maxSize)
    let home = isInterstitial ? full : Self.slotFrame
    let modal = modals.last { $0.displayView == view }
    return HostGeometry(
      screenSize: Size(width: 390, height: 844), maxSize: full.size, defaultPosition: home,
      currentPosition: modal.map { $0.properties.contentFrame ?? full } ?? home, orientation: orientation,
      orientationLocked: orientationLocked)
  }

  /// Wholly visible where it stands on top, not at all elsewhere.
  func exposure(of view: AdViewID) -> Exposure {
    let isOnTop = modals.last.map { $0.displayView == view } ?? (slotView == view)
    guard isForeground, isOnTop else { return .none }
    return Exposure(exposedPercentage: 100, visibleRectangle: Rect(x: 0, y: 0, width: 1, height: 1))
  }
}
