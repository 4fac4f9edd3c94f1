internal import Core
package import Device

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

  /// Reports that the browser was closed, also for a creative that is gone: its browser may outlive it.
  package func creativeClickthroughDidClose(_ creative: any Creative) {
    logEvent("creativeClickthroughDidClose")
    delegate?.adClickthroughDidClose()
  }

  package func creativeInterstitialDidLeaveApp(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeInterstitialDidLeaveApp")
    delegate?.adDidLeaveApp()
  }

  /// Reports a collapse if the ad was expanded; closing a player alone isn't a collapse.
  package func creativeFullScreenDidFinish(_ creative: any Creative) {
    logEvent("creativeFullScreenDidFinish")
    guard isExpanded, !modalManager.stack.states.contains(where: { $0.kind == .expanded }) else { return }
    isExpanded = false
    delegate?.adDidCollapse()
  }

  /// Shows a modal state and reports an expansion once; resized and expanded share one level of the stack.
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
  /// Shows the next creative of the ad; after the last one the ad is complete, but stays on screen until it is closed.
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

  /// Ends the ad and makes the next one at hand current; of the closed creative only its completion is still accepted.
  package func creativeInterstitialDidClose(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    logEvent("creativeInterstitialDidClose")
    if isComplete { creative.delegate = nil } else { closed.append(creative) }
    endTransaction()
    delegate?.adDidClose()
  }

  /// Takes the ad away: an interstitial closes, a banner's slot shows the next ad or requests one if none is at hand.
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

  /// Removes the current ad before its end is reported, so that the delegate may show the next ad at once.
  private func endTransaction() {
    transactionManager.dismissCurrentTransaction()
    adoptCurrentTransaction()
  }

  /// Removes all modal states, the host's browser or player included; returns the removed ones, topmost first.
  private func clearStates() -> [ModalState] {
    let removed = Array(modalManager.stack.states.reversed())
    opener = nil
    modalManager.clearStates()
    return removed
  }
}
