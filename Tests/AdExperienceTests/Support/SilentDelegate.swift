import AdExperience

/// A creative's delegate that does nothing but keep what it is asked to complete.
final class SilentDelegate: CreativeDelegate {
  private(set) var completion: (() -> Void)?

  func creativeDidComplete(_ creative: any Creative) {}
  func creativeDidDisplay(_ creative: any Creative) {}
  func creativeWasClicked(_ creative: any Creative) {}
  func creativeViewWasClicked(_ creative: any Creative) {}
  func creativeClickthroughDidClose(_ creative: any Creative) {}
  func creativeInterstitialDidClose(_ creative: any Creative) {}
  func creativeInterstitialDidLeaveApp(_ creative: any Creative) {}
  func creativeFullScreenDidFinish(_ creative: any Creative) {}
  func creativeShouldDisplayModalState(
    _ creative: any Creative, _ state: ModalState, completion: @escaping () -> Void
  ) {
    self.completion = completion
  }
  func creativeShouldCloseModalState(_ creative: any Creative, completion: @escaping () -> Void) {
    self.completion = completion
  }
  func creativeMayBeClosed(_ creative: any Creative) {}
  func creativeDidUnload(_ creative: any Creative) {}
}
