internal import MRAID

/// Moves an ad between states and views: loads it, shows it, and serves what its creative asks.
///
/// It goes by the ad's configuration (banner or interstitial) and never by the creative's type. A view and a creative
/// only meet here.
package final class AdViewManager {
  package weak var delegate: (any AdViewManagerDelegate)?
  package weak var observer: (any CreativeDelegateObserver)?
  package let configuration: AdConfiguration
  package let modalManager: ModalManager
  let transactionManager: TransactionManager
  let slot: any AdSlot

  package init(
    configuration: AdConfiguration, transactionManager: TransactionManager, modalManager: ModalManager, slot: any AdSlot
  ) {
    self.configuration = configuration
    self.transactionManager = transactionManager
    self.modalManager = modalManager
    self.slot = slot
    transactionManager.delegate = self
  }

  /// The creative that is shown or about to be.
  package var currentCreative: (any Creative)? { transactionManager.currentTransaction?.creatives.first }

  /// Fetches and loads an ad; the delegate hears adLoaded or failedToLoad.
  package func load() {
    transactionManager.fetchTransaction(configuration)
  }

  /// Shows the loaded ad: a banner in its slot, an interstitial as a modal state.
  package func show() {
    guard let creative = currentCreative else { return }
    switch configuration.kind {
    case .banner:
      slot.show(creative.displayView)
      creative.didDisplay()
    case .interstitial:
      let properties = InterstitialDisplayProperties(closeDelayLeft: configuration.closeDelay)
      let state = ModalState(kind: .interstitial, displayView: creative.displayView, properties: properties)
      modalManager.push(state) { creative.didDisplay() }
    }
  }

  /// The app goes to the background.
  package func pause() { currentCreative?.pause() }

  /// The app is back.
  package func resume() { currentCreative?.resume() }

  /// The person used the host's close control on the topmost modal state; false when there is none.
  package func closeTopmost() -> Bool {
    guard let top = modalManager.stack.top else { return false }
    switch top.kind {
    case .browser, .video:
      modalManager.popState { [weak self] in self?.currentCreative?.resume() }
      if let creative = currentCreative { creativeClickthroughDidClose(creative) }
    case .interstitial, .expanded, .resized:
      currentCreative?.hostClosed()
    }
    return true
  }

  /// The person touched the ad's view.
  package func viewWasTouched() {
    if let creative = currentCreative { creativeViewWasClicked(creative) }
  }

  func note(_ name: String, _ detail: JSONValue = .object([:])) {
    observer?.creativeDidCall(name, detail: detail)
  }
}

extension AdViewManager: TransactionManagerDelegate {
  package func onFetchingCompleted(_ result: Result<Transaction, AdError>) {
    switch result {
    case .success(let transaction):
      for creative in transaction.creatives { creative.delegate = self }
      delegate?.adLoaded(transaction.details)
    case .failure(let error):
      delegate?.failedToLoad(error)
    }
  }
}
