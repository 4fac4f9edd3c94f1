internal import Core

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
  func logEvent(_ name: String, _ detail: JSONValue = .object([:])) {
    observer?.creativeDidCall(name, detail: detail)
  }
}

extension AdViewManager: TransactionManagerDelegate {
  /// Makes the ad's first creative current, unless another ad is.
  package func onFetchingCompleted(_ result: Result<Transaction, AdError>) {
    switch result {
    case .success(let transaction):
      if currentCreative == nil { adoptCurrentTransaction() }
      delegate?.adLoaded(transaction.details)
    case .failure(let error):
      delegate?.failedToLoad(error)
    }
  }

  /// Makes the next ad's first creative current; ads that took themselves away while they waited are left out.
  func adoptCurrentTransaction() {
    isComplete = false
    var first = transactionManager.currentTransaction?.creatives.first
    while let gone = first, gone.isGone { first = transactionManager.dismissCurrentTransaction()?.creatives.first }
    adopt(first)
  }
}

extension AdViewManager {
  /// Shows the creative above the app; what is left of the ad's close delay passes from one creative to the next.
  ///
  /// A creative may have a delay of its own, a film until it may be skipped, and says itself when it is over.
  func showInterstitial(_ creative: any Creative) {
    let before = modalManager.stack.states.first { $0.kind == .interstitial }
    let adDelay = before?.properties.closeDelayLeft ?? (timer == nil ? 0 : configuration.closeDelay)
    let delay = max(adDelay, creative.closeDelay)
    let properties = InterstitialDisplayProperties(closeDelayLeft: delay)
    let state = ModalState(kind: .interstitial, displayView: creative.displayView, properties: properties)
    place(state, of: creative) { [weak self] in
      guard let self, isCurrent(creative), isOnScreen(creative) else { return }
      display(creative)
      if before == nil { awaitCloseDelay(adDelay) }
    }
  }

  private func isOnScreen(_ creative: any Creative) -> Bool {
    modalManager.stack.states.contains { $0.kind == .interstitial && $0.displayView == creative.displayView }
  }

  private func awaitCloseDelay(_ delay: Double) {
    guard delay > 0, let transaction = transactionManager.currentTransaction else { return }
    timer?.schedule(after: delay * 1000) { [weak self, weak transaction] in
      guard let self, let transaction, transaction === transactionManager.currentTransaction else { return }
      endCloseDelay()
    }
  }

  /// The presenter shows the close control from now on.
  func endCloseDelay() {
    let states = modalManager.stack.states
    guard let place = states.firstIndex(where: { $0.kind == .interstitial }),
      states[place].properties.closeDelayLeft > 0, currentCreative.map({ $0.closeDelay <= 0 }) ?? true
    else { return }
    var state = states[place]
    state.properties.closeDelayLeft = 0
    modalManager.reset(state, at: place)
  }
}

/// What an ad view hears of its ad; nothing here tells what kind of creative it is.
///
/// An ad gives: adLoaded or failedToLoad; adDidDisplay; clicks, expands and collapses; and at its end adDidClose, then
/// adDidComplete, unless it was complete before. The manager may be called back from any of these.
package protocol AdViewManagerDelegate: AnyObject {
  /// An ad is ready to be shown.
  func adLoaded(_ details: AdDetails)
  /// There is no ad, and why.
  func failedToLoad(_ error: AdError)
  /// The ad has nothing more to show; once per ad.
  func adDidComplete()
  /// The ad appeared in its view.
  func adDidDisplay()
  /// The interstitial was closed, or the ad took itself away.
  func adDidClose()
  /// The person asked for the advertiser's page.
  func adWasClicked()
  /// The person touched the ad's view, whatever that leads to.
  func adViewWasClicked()
  /// A click led out of the app.
  func adDidLeaveApp()
  /// The clickthrough browser is gone.
  func adClickthroughDidClose()
  /// The ad left its slot for the whole content area; a resize doesn't count.
  func adDidExpand()
  /// The expanded ad came back or is gone; once for each adDidExpand.
  func adDidCollapse()
}

/// Where a banner is shown.
package protocol AdSlot: AnyObject {
  /// Puts the view into the slot.
  func show(_ view: AdViewID)
  /// Empties the slot.
  func clear()
  /// The slot is empty because its ad took itself away: time to load another.
  func requestAd()
}

extension AdSlot {
  /// A slot that is there for one ad stays empty.
  package func requestAd() {}
}

/// What the ad manager waits with; the manager itself has no clock.
package protocol AdTimer: AnyObject {
  /// Runs `action` later, unless nothing may happen any more.
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void)
}
