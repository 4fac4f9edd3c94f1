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
