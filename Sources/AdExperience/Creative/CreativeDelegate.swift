/// What a creative asks of the ad manager, and tells it.
package protocol CreativeDelegate: AnyObject {
  /// It is over.
  func creativeDidComplete(_ creative: any Creative)
  /// Its content is on the screen.
  func creativeDidDisplay(_ creative: any Creative)
  /// The person asked for the advertiser's page.
  func creativeWasClicked(_ creative: any Creative)
  /// The person touched its view.
  func creativeViewWasClicked(_ creative: any Creative)
  /// The clickthrough browser was closed.
  func creativeClickthroughDidClose(_ creative: any Creative)
  /// Its interstitial was closed; `creativeDidComplete` follows.
  func creativeInterstitialDidClose(_ creative: any Creative)
  /// A click led out of the app.
  func creativeInterstitialDidLeaveApp(_ creative: any Creative)
  /// It came back from full screen to its slot, or the full-screen player was closed.
  func creativeFullScreenDidFinish(_ creative: any Creative)
  /// It needs something shown modally; `completion` runs when that is laid out.
  func creativeShouldDisplayModalState(_ creative: any Creative, _ state: ModalState, completion: @escaping () -> Void)
  /// Its own modal state is to go; `completion` runs when what is left is laid out, or when it had none.
  func creativeShouldCloseModalState(_ creative: any Creative, completion: @escaping () -> Void)
  /// Its own close delay is over: the host's close control may be used.
  func creativeMayBeClosed(_ creative: any Creative)
  /// It wants to be taken away for good (MRAID unload).
  func creativeDidUnload(_ creative: any Creative)
}
