extension AdViewManager {
  /// The person used the host's close control on the topmost modal state; false when there is none.
  ///
  /// A browser or player just goes. The ad's own states are the creative's to leave: it may have to say so first.
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

  /// Shows a state at its level: in place of what is there, else above the lower levels and under the higher ones.
  ///
  /// So a close always leads back to default and never one step: a resized ad's state is replaced, not covered. And a
  /// browser stays on top of an ad that changes beneath it, as after `open()` and `close()` in one breath.
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

  /// Takes the ad's uppermost own state off the screen; with none `completion` runs at once.
  func closeUppermost(completion: @escaping () -> Void) {
    let place = modalManager.stack.states.lastIndex { !$0.kind.isHostContent }
    if let place { removeModalState(at: place, completion: completion) } else { completion() }
  }

  /// Takes one state off the screen and tells what that means.
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

  /// What the delegate hears when a state has left the screen; closed interstitials speak for themselves.
  func reportClosing(of state: ModalState, by creative: any Creative) {
    switch state.kind {
    case .browser: creativeClickthroughDidClose(creative)
    case .video, .expanded: creativeFullScreenDidFinish(creative)
    case .interstitial, .resized: break
    }
  }
}

extension ModalState.Kind {
  /// Whether the host shows something of its own for the ad: a browser or player.
  var isHostContent: Bool { level == 2 }

  /// From the bottom: an interstitial, what an ad becomes by itself, what the host shows for it. One state in each.
  fileprivate var level: Int {
    switch self {
    case .interstitial: 0
    case .resized, .expanded: 1
    case .browser, .video: 2
    }
  }
}
