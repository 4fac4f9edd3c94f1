import AdExperience

extension ModalState {
  static let interstitial = ModalState(kind: .interstitial, displayView: .creative)
  static let expanded = ModalState(kind: .expanded, displayView: .creative)
  static let resized = ModalState(kind: .resized, displayView: .creative)
}
