internal import Device

extension AdViewManager {
  /// Handles the user's tap on the host's close control of the topmost modal state; false if there is none to use.
  ///
  /// A browser or player is removed at once. States of the ad itself are left to the creative, which may have to report
  /// the close first.
  package func closeTopmost() -> Bool {
    guard let top = modalManager.stack.top, top.properties.closeDelayLeft <= 0, top.properties.closePosition != nil
    else { return false }
    if !top.kind.isHostContent, let creative = currentCreative {
      creative.hostClosed()
    } else {
      removeModalState(at: modalManager.stack.states.count - 1)
    }
    return true
  }

  /// Shows a state at its level: replaces a state of the same level, otherwise goes between lower and higher levels.
  ///
  /// So a close always leads back to the default state and never a single step: a resized ad's state is replaced, not
  /// covered. And a browser stays on top of an ad that changes beneath it, as after `open()` directly followed by
  /// `close()`.
  func place(_ state: ModalState, of creative: any Creative, completion: @escaping () -> Void) {
    let states = modalManager.stack.states
    let place = states.firstIndex { $0.kind.level >= state.kind.level } ?? states.count
    let replaced = states.indices.contains(place) && states[place].kind.level == state.kind.level ? states[place] : nil
    let formerOpener = opener
    if state.kind.isHostContent { opener = creative }
    let completion = { [weak self] in
      completion()
      self?.updateRunning()
    }
    if let replaced {
      modalManager.reset(state, at: place, completion: completion)
      reportClosing(of: replaced, by: formerOpener ?? creative)
    } else {
      modalManager.push(state, at: place, completion: completion)
    }
  }

  /// Removes the ad's topmost own state from the screen; without one, `completion` runs at once.
  func closeUppermost(completion: @escaping () -> Void) {
    let place = modalManager.stack.states.lastIndex { !$0.kind.isHostContent }
    if let place { removeModalState(at: place, completion: completion) } else { completion() }
  }

  /// Removes one state from the screen and reports the closing.
  private func removeModalState(at place: Int, completion: @escaping () -> Void = {}) {
    let state = modalManager.stack.states[place]
    let creative = state.kind.isHostContent ? opener : currentCreative
    if state.kind.isHostContent { opener = nil }
    modalManager.popState(at: place) { [weak self] in
      completion()
      self?.updateRunning()
    }
    if let creative { reportClosing(of: state, by: creative) }
  }

  /// Reports to the delegate that a state has left the screen; closed interstitials report their own closing.
  func reportClosing(of state: ModalState, by creative: any Creative) {
    switch state.kind {
    case .browser: creativeClickthroughDidClose(creative)
    case .video, .expanded: creativeFullScreenDidFinish(creative)
    case .interstitial, .resized: break
    }
  }
}

extension ModalState.Kind {
  /// Indicates that the state shows the host's own content for the ad: a browser or player.
  var isHostContent: Bool { level == 2 }

  /// Level on the stack, from the bottom: interstitial, expanded or resized ad, host's content. Each holds one state.
  fileprivate var level: Int {
    switch self {
    case .interstitial: 0
    case .resized, .expanded: 1
    case .browser, .video: 2
    }
  }
}
