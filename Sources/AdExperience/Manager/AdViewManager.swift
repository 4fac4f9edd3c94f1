internal import MRAID

/// Moves an ad between states and views: loads it, shows it, and serves what its creative asks.
///
/// It goes by the ad's configuration (banner or interstitial) and never by the creative's type. A view and a creative
/// only meet here. One creative at a time is current and has this manager as its delegate; no other is heard. Whoever
/// is told something finds the manager done with it, and may call it.
package final class AdViewManager {
  /// The ad view.
  package weak var delegate: (any AdViewManagerDelegate)?
  /// Told of what the creative asks, before the delegate is told what came of it.
  package weak var observer: (any CreativeDelegateObserver)?
  /// Counts an interstitial's close delay; without a timer there is none.
  package weak var timer: (any AdTimer)?
  /// Banner or interstitial, and how large.
  package let configuration: AdConfiguration
  /// What stands above the app.
  package let modalManager: ModalManager
  /// The creative that is shown or about to be.
  package private(set) var currentCreative: (any Creative)?

  /// The ads at hand.
  let transactionManager: TransactionManager
  /// Where a banner goes.
  let slot: any AdSlot
  /// Whether `show` was called for the current creative.
  private(set) var isShown = false
  /// Whether adDidExpand was told without adDidCollapse.
  var isExpanded = false
  /// Whether adDidComplete was told of the current ad.
  var isComplete = false
  /// Whose browser or player is on the screen.
  var opener: (any Creative)?
  /// Closed interstitials that haven't said yet that they are complete.
  var closed: [any Creative] = []
  /// Whether the app is.
  private var isInBackground = false
  /// Whether something of the ad's place can be seen; a feed's cell may be scrolled away, and its film stops meanwhile.
  package var isInSight = true { didSet { updateRunning() } }
  /// Whether the current creative was last told to run.
  private var runs = true

  /// A manager with nothing loaded, alone with its modal manager.
  package init(
    configuration: AdConfiguration, transactionManager: TransactionManager, modalManager: ModalManager, slot: any AdSlot
  ) {
    self.configuration = configuration
    self.transactionManager = transactionManager
    self.modalManager = modalManager
    self.slot = slot
    transactionManager.delegate = self
  }

  /// Fetches and loads an ad; the delegate hears adLoaded or failedToLoad.
  package func load() {
    transactionManager.fetchTransaction(configuration)
  }

  /// Shows the loaded ad, once: a banner in its slot, an interstitial as a modal state.
  package func show() {
    guard let creative = currentCreative, !isShown else { return }
    isShown = true
    switch configuration.kind {
    case .banner:
      slot.show(creative.displayView)
      display(creative)
    case .interstitial: showInterstitial(creative)
    }
  }

  /// The app goes to the background; the creative stops.
  package func pause() {
    isInBackground = true
    updateRunning()
  }

  /// The app is back; the creative goes on, unless a browser or player covers it.
  package func resume() {
    isInBackground = false
    updateRunning()
  }

  /// The person touched the ad's view.
  package func viewWasTouched() {
    if let creative = currentCreative { creativeViewWasClicked(creative) }
  }

  /// The creative's view is on the screen.
  func display(_ creative: any Creative) {
    creative.didDisplay()
    updateRunning()
  }

  /// Makes a creative the one that is heard; nil makes it none.
  func adopt(_ creative: (any Creative)?) {
    currentCreative = creative
    isShown = false
    runs = true
    creative?.delegate = self
  }

  /// Stops the creative or lets it go on, whichever is due.
  func updateRunning() {
    let mayRun = isInSight && !isInBackground && modalManager.stack.top?.kind.isHostContent != true
    guard isShown, let creative = currentCreative, mayRun != runs else { return }
    runs = mayRun
    if mayRun { creative.resume() } else { creative.pause() }
  }

  /// Whether it is this creative's turn.
  func isCurrent(_ creative: any Creative) -> Bool { creative === currentCreative }

  /// Notes a call of the creative's.
  func note(_ name: String, _ detail: JSONValue = .object([:])) {
    observer?.creativeDidCall(name, detail: detail)
  }
}
