internal import MRAID

extension AdViewManager: CreativeDelegate {
  package func creativeDidComplete(_ creative: any Creative) {
    note("creativeDidComplete")
    delegate?.adDidComplete()
  }

  package func creativeDidDisplay(_ creative: any Creative) {
    note("creativeDidDisplay")
    delegate?.adDidDisplay()
  }

  package func creativeWasClicked(_ creative: any Creative) {
    note("creativeWasClicked")
    delegate?.adWasClicked()
  }

  package func creativeViewWasClicked(_ creative: any Creative) {
    note("creativeViewWasClicked")
    delegate?.adViewWasClicked()
  }

  package func creativeClickthroughDidClose(_ creative: any Creative) {
    note("creativeClickthroughDidClose")
    delegate?.adClickthroughDidClose()
  }

  package func creativeInterstitialDidClose(_ creative: any Creative) {
    note("creativeInterstitialDidClose")
    delegate?.adDidClose()
  }

  package func creativeInterstitialDidLeaveApp(_ creative: any Creative) {
    note("creativeInterstitialDidLeaveApp")
    delegate?.adDidLeaveApp()
  }

  package func creativeFullScreenDidFinish(_ creative: any Creative) {
    note("creativeFullScreenDidFinish")
    delegate?.adDidCollapse()
  }

  package func creativeShouldDisplayModalState(
    _ creative: any Creative, _ state: ModalState, completion: @escaping () -> Void
  ) {
    note("creativeShouldDisplayModalState", ["kind": .string(state.kind.name)])
    // A close always leads back to default, never one step: so a resized ad's state is replaced, not covered.
    let replaces = modalManager.stack.top?.kind == .resized && (state.kind == .resized || state.kind == .expanded)
    if replaces {
      modalManager.reset(state, completion: completion)
    } else {
      modalManager.push(state, completion: completion)
    }
    if state.kind == .expanded { delegate?.adDidExpand() }
  }

  package func creativeShouldCloseModalState(_ creative: any Creative, completion: @escaping () -> Void) {
    note("creativeShouldCloseModalState")
    let closing = modalManager.stack.top
    modalManager.popState(completion: completion)
    switch closing?.kind {
    case .expanded: creativeFullScreenDidFinish(creative)
    case .resized: delegate?.adDidCollapse()
    default: break
    }
  }

  package func creativeDidUnload(_ creative: any Creative) {
    note("creativeDidUnload")
    modalManager.clearStates()
    if configuration.kind == .banner { slot.clear() }
    delegate?.adDidClose()
    transactionManager.dismissCurrentTransaction()
  }
}
