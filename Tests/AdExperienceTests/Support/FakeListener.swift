import AdExperience

/// Hears of modal transitions, and does something at the first.
final class FakeListener: ModalManagerListener {
  private(set) var heard: [ModalTransition.Operation] = []
  var onFirst: (() -> Void)?

  func modalManager(didApply transition: ModalTransition) {
    heard.append(transition.operation)
    let onFirst = onFirst
    self.onFirst = nil
    onFirst?()
  }
}
