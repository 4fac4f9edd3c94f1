import AdManager
import Core
import Device
import MRAID

/// Journal of all calls to the fakes, in one order.
final class Journal {
  private(set) var lines: [String] = []

  func note(_ line: String) { lines.append(line) }

  /// Returns the lines noted while `action` ran.
  func during(_ action: () -> Void) -> [String] {
    let start = lines.count
    action()
    return Array(lines[start...])
  }

  /// Returns the number of lines equal to this one.
  func count(_ line: String) -> Int { lines.count { $0 == line } }
}

/// Ad view that notes its calls, and may act from within them.
final class FakeAdView: AdViewManagerDelegate, CreativeDelegateObserver {
  let journal: Journal
  /// Actions to run from within a call, by the call's name; each runs only once.
  var answers: [String: () -> Void] = [:]
  /// Indicates if the creative's own calls are noted too.
  var notesCreative = false
  private(set) var details: AdDetails?
  private(set) var error: AdError?

  init(journal: Journal) { self.journal = journal }

  func adLoaded(_ details: AdDetails) {
    self.details = details
    hear("adLoaded")
  }

  func failedToLoad(_ error: AdError) {
    self.error = error
    hear("failedToLoad")
  }

  func adDidComplete() { hear("adDidComplete") }
  func adDidDisplay() { hear("adDidDisplay") }
  func adDidClose() { hear("adDidClose") }
  func adWasClicked() { hear("adWasClicked") }
  func adViewWasClicked() { hear("adViewWasClicked") }
  func adDidLeaveApp() { hear("adDidLeaveApp") }
  func adClickthroughDidClose() { hear("adClickthroughDidClose") }
  func adDidExpand() { hear("adDidExpand") }
  func adDidCollapse() { hear("adDidCollapse") }

  func creativeDidCall(_ name: String, detail: JSONValue) {
    if notesCreative { journal.note(name) }
  }

  func creativeUnloads() {}

  private func hear(_ call: String) {
    journal.note(call)
    answers.removeValue(forKey: call)?()
  }
}

/// Creative of no particular kind that does nothing by itself.
final class FakeCreative: Creative {
  weak var delegate: (any CreativeDelegate)?
  let displayView: AdViewID
  var isGone = false
  let journal: Journal

  init(_ name: String, journal: Journal) {
    displayView = AdViewID(rawValue: name)
    self.journal = journal
  }

  func didDisplay() {
    journal.note("\(displayView.rawValue) didDisplay")
    delegate?.creativeDidDisplay(self)
  }

  func pause() { journal.note("\(displayView.rawValue) pause") }
  func resume() { journal.note("\(displayView.rawValue) resume") }
  func hostClosed() { journal.note("\(displayView.rawValue) hostClosed") }

  func openBrowser(_ url: String = "https://shop.example") { show(.browser(url: url)) }

  /// Asks for a modal state.
  func show(_ kind: ModalState.Kind) {
    delegate?.creativeShouldDisplayModalState(self, ModalState(kind: kind, displayView: displayView)) {}
  }

  /// Leaves its modal state.
  func close(completion: @escaping () -> Void = {}) {
    delegate?.creativeShouldCloseModalState(self, completion: completion)
  }
}

/// Host of an HTML creative; scheduled actions run when the test calls for them.
final class FakeHost: CreativeHost, AdTimer {
  let journal: Journal
  let screen: FakeScreen
  let isInterstitial: Bool
  weak var creative: HTMLCreative?
  var canLoadSecondPart = true
  private(set) var hasSecondPart = false
  private(set) var transitions: [MRAIDTransition] = []
  private(set) var scheduled: [(delay: Double, action: () -> Void)] = []
  private(set) var updates: [BridgeUpdate] = []
  private(set) var now = 0.0
  var onLoadFailure: ((AdError) -> Void)?
  /// Action to run from within the next delivery.
  var onDelivery: (() -> Void)?

  init(journal: Journal, screen: FakeScreen, isInterstitial: Bool) {
    self.journal = journal
    self.screen = screen
    self.isInterstitial = isInterstitial
  }

  /// States that the session went through.
  var states: [MRAIDState] { transitions.map(\.to) }

  var geometry: HostGeometry { screen.geometry(of: view, isInterstitial: isInterstitial) }
  var exposure: Exposure { screen.exposure(of: view) }
  private var view: AdViewID { creative?.showsSecondPart == true ? .secondPart : .creative }

  func deliver(_ update: BridgeUpdate, to part: AdPart) {
    let onDelivery = onDelivery
    self.onDelivery = nil
    onDelivery?()
    updates.append(update)
    for event in update.events {
      let arguments = event.name == "stateChange" || event.name == "viewableChange" ? event.arguments : []
      let words = arguments.map { $0.string ?? String($0.bool ?? false) }
      journal.note(([event.name] + words + (part == .two ? ["part two"] : [])).joined(separator: " "))
    }
  }

  func loadSecondPart(_ url: String) -> Bool {
    guard canLoadSecondPart else { return false }
    hasSecondPart = true
    journal.note("loadSecondPart \(url)")
    return true
  }

  func discardSecondPart() {
    hasSecondPart = false
    journal.note("discardSecondPart")
  }

  func failLoading(_ error: AdError) { onLoadFailure?(error) }

  func apply(_ orientation: OrientationProperties) {
    screen.orientationLocked = !orientation.allowOrientationChange
    if orientation.forceOrientation == .landscape { screen.orientation = .landscape }
    journal.note("apply \(orientation.forceOrientation)")
  }

  func restoreOrientation() {
    screen.orientationLocked = false
    screen.orientation = .portrait
  }

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    scheduled.append((milliseconds, action))
  }

  /// Advances the time until all actions scheduled so far are due, and runs them.
  func runScheduled() {
    let due = scheduled
    scheduled = []
    now += due.map(\.delay).max() ?? 0
    for (_, action) in due { action() }
  }

  func record(_ source: CreativeLogSource, _ name: String, _ detail: JSONValue) {
    journal.note(([name, detail["command"]?.string] as [String?]).compactMap(\.self).joined(separator: " "))
  }

  func stateChanged(_ transition: MRAIDTransition) { transitions.append(transition) }
}

/// Phone screen without pixels: the slot and the modal states; completes at once, or with `finish`.
final class FakeScreen: ModalPresenter, ModalManagerListener, AdSlot {
  static let maxSize = Size(width: 390, height: 760)
  static let slotFrame = Rect(x: 35, y: 300, width: 320, height: 50)

  let journal: Journal
  private(set) var modals: [ModalState] = []
  private(set) var slotView: AdViewID?
  var isForeground = true
  var orientation = AppOrientation.portrait
  var orientationLocked = false
  /// Indicates if completions wait for `finish`.
  var isSlow = false
  /// Completions that haven't run, oldest first.
  private var unfinished: [() -> Void] = []
  /// Action to run at the first transition.
  var onFirst: (() -> Void)?
  /// Action of the app when the slot asks for an ad.
  var onRequest: (() -> Void)?

  init(journal: Journal) { self.journal = journal }

  func present(_ transition: ModalTransition) { modals = transition.states }

  func layOut(completion: @escaping () -> Void) {
    if isSlow { unfinished.append(completion) } else { completion() }
  }

  func modalManager(didApply transition: ModalTransition) {
    journal.note("\(transition.operation) \(transition.states.map(\.kind.name))")
    let onFirst = onFirst
    self.onFirst = nil
    onFirst?()
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

  /// Runs the waiting completions, and those that they add.
  func finish() {
    while !unfinished.isEmpty { unfinished.removeFirst()() }
  }

  /// Kinds on the stack, bottom to top.
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

  /// Returns full exposure for the view on top, and none for others.
  func exposure(of view: AdViewID) -> Exposure {
    let isOnTop = modals.last.map { $0.displayView == view } ?? (slotView == view)
    guard isForeground, isOnTop else { return .none }
    return Exposure(exposedPercentage: 100, visibleRectangle: Rect(x: 0, y: 0, width: 1, height: 1))
  }
}

/// Loader that returns its supply, at once or with `finish`; fails when the supply is empty.
final class FakeLoader: TransactionLoader {
  /// Creatives of the next transactions.
  var supply: [[any Creative]] = []
  /// Indicates if loads wait for `finish`.
  var isSlow = false
  /// All returned transactions, which the test keeps alive.
  private(set) var transactions: [Transaction] = []
  private var waiting: [() -> Void] = []

  func load(_ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void) {
    let finish = { [self] in
      guard !supply.isEmpty else { return completion(.failure(AdError("no fill"))) }
      let transaction = Transaction(creatives: supply.removeFirst(), configuration: configuration)
      transactions.append(transaction)
      completion(.success(transaction))
    }
    if isSlow { waiting.append(finish) } else { finish() }
  }

  /// Ends the oldest load.
  func finish() { waiting.removeFirst()() }
}

extension ModalState {
  static let interstitial = ModalState(kind: .interstitial, displayView: .creative)
  static let expanded = ModalState(kind: .expanded, displayView: .creative)
  static let resized = ModalState(kind: .resized, displayView: .creative)
}
