internal import Core

extension AdViewManager: CreativeDelegate {
  package func creativeDidDisplay(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeDidDisplay")
    delegate?.adDidDisplay()
  }

  package func creativeWasClicked(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeWasClicked")
    delegate?.adWasClicked()
  }

  package func creativeViewWasClicked(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeViewWasClicked")
    delegate?.adViewWasClicked()
  }

  /// Also of a creative that is gone: its browser may outlive it.
  package func creativeClickthroughDidClose(_ creative: any Creative) {
    logEvent("creativeClickthroughDidClose")
    delegate?.adClickthroughDidClose()
  }

  package func creativeInterstitialDidLeaveApp(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeInterstitialDidLeaveApp")
    delegate?.adDidLeaveApp()
  }

  /// The end of a player is no collapse, unless the ad was expanded for it.
  package func creativeFullScreenDidFinish(_ creative: any Creative) {
    logEvent("creativeFullScreenDidFinish")
    guard isExpanded, !modalManager.stack.states.contains(where: { $0.kind == .expanded }) else { return }
    isExpanded = false
    delegate?.adDidCollapse()
  }

  /// Resized and expanded are one and the same state on the stack; only an expansion is told.
  package func creativeShouldDisplayModalState(
    _ creative: any Creative, _ state: ModalState, completion: @escaping () -> Void
  ) {
    guard isCurrent(creative) else { return }
    logEvent("creativeShouldDisplayModalState", ["kind": .string(state.kind.name)])
    let expands = state.kind == .expanded && !isExpanded
    if expands { isExpanded = true }
    place(state, of: creative, completion: completion)
    if expands { delegate?.adDidExpand() }
  }

  package func creativeMayBeClosed(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeMayBeClosed")
    endCloseDelay()
  }

  package func creativeShouldCloseModalState(_ creative: any Creative, completion: @escaping () -> Void) {
    guard isCurrent(creative) else { return completion() }
    logEvent("creativeShouldCloseModalState")
    closeUppermost(completion: completion)
  }
}

extension AdViewManager {
  /// The next creative of the ad takes its place; after the last one the ad is complete, but stays until it is closed.
  package func creativeDidComplete(_ creative: any Creative) {
    if let place = closed.firstIndex(where: { $0 === creative }) {
      closed.remove(at: place)
      creative.delegate = nil
      logEvent("creativeDidComplete")
      delegate?.adDidComplete()
    } else if isCurrent(creative) {
      logEvent("creativeDidComplete")
      showNext(after: creative)
    }
  }

  /// The ad is over, and the next at hand becomes current; this creative is only heard saying that it is complete.
  package func creativeInterstitialDidClose(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeInterstitialDidClose")
    if isComplete { creative.delegate = nil } else { closed.append(creative) }
    endTransaction()
    delegate?.adDidClose()
  }

  /// An interstitial closes; a banner leaves its slot to the next ad, which the slot asks for if none is at hand.
  package func creativeDidUnload(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeDidUnload")
    observer?.creativeUnloads()
    let removed = clearStates()
    if configuration.kind == .banner { slot.clear() }
    let wasComplete = isComplete
    creative.delegate = nil
    endTransaction()
    for state in removed { reportClosing(of: state, by: creative) }
    delegate?.adDidClose()
    if !wasComplete { delegate?.adDidComplete() }
    guard configuration.kind == .banner else { return }
    if currentCreative == nil { slot.requestAd() } else { show() }
  }

  private func showNext(after creative: any Creative) {
    if let next = transactionManager.currentTransaction?.creative(after: creative) {
      let wasShown = isShown
      creative.delegate = nil
      adopt(next)
      if wasShown { show() }
    } else if !isComplete {
      isComplete = true
      delegate?.adDidComplete()
    }
  }

  /// Done before anybody is told of the end, so that the next ad may be shown from within.
  private func endTransaction() {
    transactionManager.dismissCurrentTransaction()
    adoptCurrentTransaction()
  }

  /// Everything modal goes, also what the host shows for the ad; returns what went, topmost first.
  private func clearStates() -> [ModalState] {
    let removed = Array(modalManager.stack.states.reversed())
    opener = nil
    modalManager.clearStates()
    return removed
  }
}
