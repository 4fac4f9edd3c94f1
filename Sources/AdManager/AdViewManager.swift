internal import Core
package import Device

/// Moves an ad between states and views: loads it, shows it, and carries out the requests of its creative.
///
/// It depends on the ad's configuration (banner or interstitial) and never on the creative's type. A view and a
/// creative only meet here. One creative at a time is current and has this manager as its delegate; calls of all others
/// are ignored. The manager has finished a change before it calls a delegate, which may therefore call it back.
package final class AdViewManager {
  /// The ad view.
  package weak var delegate: (any AdViewManagerDelegate)?
  /// Observer that gets the creative's calls before the delegate gets their result.
  package weak var observer: (any CreativeDelegateObserver)?
  /// Timer for an interstitial's close delay; without a timer there is no delay.
  package weak var timer: (any AdTimer)?
  /// Kind of ad, banner or interstitial, and its size.
  package let configuration: AdConfiguration
  /// Manager of the modal states above the app.
  package let modalManager: ModalManager
  /// The creative that is shown or about to be shown.
  package private(set) var currentCreative: (any Creative)?

  /// Manager of the ads at hand.
  let transactionManager: TransactionManager
  /// Slot that shows a banner.
  let slot: any AdSlot
  /// Indicates that `show` was called for the current creative.
  private(set) var isShown = false
  /// Indicates that adDidExpand was reported and adDidCollapse wasn't yet.
  var isExpanded = false
  /// Indicates that adDidComplete was reported for the current ad.
  var isComplete = false
  /// Creative that opened the browser or player on the screen; nil if there is none.
  var opener: (any Creative)?
  /// Closed interstitials that haven't reported their completion yet.
  var closed: [any Creative] = []
  /// True while the app is in the background.
  private var isInBackground = false
  /// Indicates that a part of the ad's place is visible; in a feed its cell may be scrolled away, which pauses its
  /// video.
  package var isInSight = true { didSet { updateRunning() } }
  /// Indicates that the current creative may run; false after a pause.
  private var runs = true

  /// Creates a manager with no ad loaded, with its own modal manager.
  package init(
    configuration: AdConfiguration, transactionManager: TransactionManager, modalManager: ModalManager, slot: any AdSlot
  ) {
    self.configuration = configuration
    self.transactionManager = transactionManager
    self.modalManager = modalManager
    self.slot = slot
    transactionManager.delegate = self
  }

  /// Fetches and loads an ad; the delegate gets adLoaded or failedToLoad.
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

  /// Pauses the creative because the app goes to the background.
  package func pause() {
    isInBackground = true
    updateRunning()
  }

  /// Resumes the creative because the app is back in the foreground, unless a browser or player covers the ad.
  package func resume() {
    isInBackground = false
    updateRunning()
  }

  /// Reports that the user touched the ad's view.
  package func viewWasTouched() {
    if let creative = currentCreative { creativeViewWasClicked(creative) }
  }

  /// Tells a creative that its view is on the screen.
  func display(_ creative: any Creative) {
    creative.didDisplay()
    updateRunning()
  }

  /// Makes a creative current and becomes its delegate; nil leaves no creative current.
  func adopt(_ creative: (any Creative)?) {
    currentCreative = creative
    isShown = false
    runs = true
    creative?.delegate = self
  }

  /// Pauses or resumes the creative if its state differs from the one that the circumstances require.
  func updateRunning() {
    let mayRun = isInSight && !isInBackground && modalManager.stack.top?.kind.isHostContent != true
    guard isShown, let creative = currentCreative, mayRun != runs else { return }
    runs = mayRun
    if mayRun { creative.resume() } else { creative.pause() }
  }

  /// Indicates that this creative is the current one.
  func isCurrent(_ creative: any Creative) -> Bool { creative === currentCreative }

  /// Reports a creative's call to the observer.
  func logEvent(_ name: String, _ detail: JSONValue = .object([:])) {
    observer?.creativeDidCall(name, detail: detail)
  }
}

extension AdViewManager: TransactionManagerDelegate {
  /// Makes the ad's first creative current, unless another ad is current already.
  package func onFetchingCompleted(_ result: Result<Transaction, AdError>) {
    switch result {
    case .success(let transaction):
      if currentCreative == nil { adoptCurrentTransaction() }
      delegate?.adLoaded(transaction.details)
    case .failure(let error):
      delegate?.failedToLoad(error)
    }
  }

  /// Makes the next ad's first creative current; ads that unloaded themselves while they waited are dropped.
  func adoptCurrentTransaction() {
    isComplete = false
    var first = transactionManager.currentTransaction?.creatives.first
    while let gone = first, gone.isGone { first = transactionManager.dismissCurrentTransaction()?.creatives.first }
    adopt(first)
  }
}

extension AdViewManager {
  /// Shows the creative above the app; the rest of the ad's close delay passes from one creative to the next.
  ///
  /// A creative may have a delay of its own, such as a video until it can be skipped, and reports its end itself.
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

  /// Lets the presenter show the close control from now on, unless the creative has a delay of its own.
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

/// Callbacks from the ad manager to an ad view; none of them depends on the kind of creative.
///
/// An ad gives: adLoaded or failedToLoad; adDidDisplay; clicks, expands and collapses; and at its end adDidClose, then
/// adDidComplete, unless it was complete before. The manager may be called back from any of these.
package protocol AdViewManagerDelegate: AnyObject {
  /// An ad is ready to be shown.
  func adLoaded(_ details: AdDetails)
  /// There is no ad, for the given reason.
  func failedToLoad(_ error: AdError)
  /// The ad has nothing more to show; once per ad.
  func adDidComplete()
  /// The ad appeared in its view.
  func adDidDisplay()
  /// The interstitial was closed, or the ad unloaded itself.
  func adDidClose()
  /// The user requested the advertiser's page.
  func adWasClicked()
  /// The user touched the ad's view, with or without any effect.
  func adViewWasClicked()
  /// A click led out of the app.
  func adDidLeaveApp()
  /// The clickthrough browser was closed.
  func adClickthroughDidClose()
  /// The ad left its slot and fills the whole content area; a resize doesn't count.
  func adDidExpand()
  /// The expanded ad returned to its slot or is gone; once for each adDidExpand.
  func adDidCollapse()
}

/// Slot that shows a banner.
package protocol AdSlot: AnyObject {
  /// Puts the view into the slot.
  func show(_ view: AdViewID)
  /// Empties the slot.
  func clear()
  /// Requests another ad because the slot's ad unloaded itself.
  func requestAd()
}

extension AdSlot {
  /// Leaves the slot empty, since it is there for one ad only.
  package func requestAd() {}
}

/// Timer of the ad manager, which has no clock of its own.
package protocol AdTimer: AnyObject {
  /// Runs `action` after a delay, unless the render is over by then.
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void)
}
