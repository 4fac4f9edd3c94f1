import AdExperience

/// A creative of no particular kind that does nothing by itself.
final class FakeCreative: Creative {
  weak var delegate: (any CreativeDelegate)?
  let displayView: AdViewID
  var isGone = false
  let journal: Journal

  init(_ name: String, journal: Journal) {
    displayView = AdViewID(rawValue: name)
    self.journal = journal
  }

  func didDisplay() {
    journal.note("\(displayView.rawValue) didDisplay")
    delegate?.creativeDidDisplay(self)
  }

  func pause() { journal.note("\(displayView.rawValue) pause") }
  func resume() { journal.note("\(displayView.rawValue) resume") }
  func hostClosed() { journal.note("\(displayView.rawValue) hostClosed") }

  func openBrowser(_ url: String = "https://shop.example") { show(.browser(url: url)) }

  /// Asks for a modal state.
  func show(_ kind: ModalState.Kind) {
    delegate?.creativeShouldDisplayModalState(self, ModalState(kind: kind, displayView: displayView)) {}
  }

  /// Leaves its modal state.
  func close(completion: @escaping () -> Void = {}) {
    delegate?.creativeShouldCloseModalState(self, completion: completion)
  }
}
