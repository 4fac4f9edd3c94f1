/// What an ad does by itself, whatever view shows it.
package protocol Creative: AnyObject {
  /// Held weakly.
  var delegate: (any CreativeDelegate)? { get set }
  /// The view that shows it.
  var displayView: AdViewID { get }
  /// Called when its view is on the screen.
  func didDisplay()
  /// Called when the app goes to the background, and before its view leaves the screen.
  func pause()
  /// Called when it may go on.
  func resume()
  /// The person used the host's own close control on one of its modal states.
  func hostClosed()
}

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
  /// Its interstitial was closed.
  func creativeInterstitialDidClose(_ creative: any Creative)
  /// A click led out of the app.
  func creativeInterstitialDidLeaveApp(_ creative: any Creative)
  /// It came back from full screen to its slot.
  func creativeFullScreenDidFinish(_ creative: any Creative)
  /// It needs something shown modally; `completion` runs when that is laid out.
  func creativeShouldDisplayModalState(_ creative: any Creative, _ state: ModalState, completion: @escaping () -> Void)
  /// Its topmost modal state is to go; `completion` runs when what is below is laid out.
  func creativeShouldCloseModalState(_ creative: any Creative, completion: @escaping () -> Void)
  /// It wants to be taken away for good (MRAID unload).
  func creativeDidUnload(_ creative: any Creative)
}
