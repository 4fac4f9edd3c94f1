internal import MRAID

extension AdViewManager: CreativeDelegate {
  package func creativeDidDisplay(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    note("creativeDidDisplay")
    delegate?.adDidDisplay()
  }

  package func creativeWasClicked(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    note("creativeWasClicked")
    delegate?.adWasClicked()
  }

  package func creativeViewWasClicked(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    note("creativeViewWasClicked")
    delegate?.adViewWasClicked()
  }

  /// Also of a creative that is gone: its browser may outlive it.
  package func creativeClickthroughDidClose(_ creative: any Creative) {
    note("creativeClickthroughDidClose")
    delegate?.adClickthroughDidClose()
  }

  package func creativeInterstitialDidLeaveApp(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    note("creativeInterstitialDidLeaveApp")
    delegate?.adDidLeaveApp()
  }

  /// The end of a player is no collapse, unless the ad was expanded for it.
  package func creativeFullScreenDidFinish(_ creative: any Creative) {
    note("creativeFullScreenDidFinish")
    guard isExpanded, !modalManager.stack.states.contains(where: { $0.kind == .expanded }) else { return }
    isExpanded = false
    delegate?.adDidCollapse()
  }

  /// Resized and expanded are one and the same state on the stack; only an expansion is told.
  package func creativeShouldDisplayModalState(
    _ creative: any Creative, _ state: ModalState, completion: @escaping () -> Void
  ) {
    guard isCurrent(creative) else { return }
    note("creativeShouldDisplayModalState", ["kind": .string(state.kind.name)])
    let expands = state.kind == .expanded && !isExpanded
    if expands { isExpanded = true }
    place(state, of: creative, completion: completion)
    if expands { delegate?.adDidExpand() }
  }

  package func creativeMayBeClosed(_ creative: any Creative) {
    guard isCurrent(creative) else { return }
    note("creativeMayBeClosed")
    endCloseDelay()
  }

  package func creativeShouldCloseModalState(_ creative: any Creative, completion: @escaping () -> Void) {
    guard isCurrent(creative) else { return completion() }
    note("creativeShouldCloseModalState")
    closeUppermost(completion: completion)
  }
}
