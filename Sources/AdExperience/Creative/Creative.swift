/// What an ad does by itself, whatever view shows it.
package protocol Creative: AnyObject {
  /// Held weakly; nil before it is its turn to be shown, and again once it is over.
  var delegate: (any CreativeDelegate)? { get set }
  /// The view that shows it.
  var displayView: AdViewID { get }
  /// Whether it is over for good: nothing of it may be shown any more.
  var isGone: Bool { get }
  /// Seconds an interstitial of it stays without a close control, unless it says sooner that it may be closed.
  var closeDelay: Double { get }
  /// Called when its view is on the screen.
  func didDisplay()
  /// Called when the app goes to the background, and when a browser or player covers it.
  func pause()
  /// Called when it may go on.
  func resume()
  /// The person used the host's own close control on one of its modal states.
  func hostClosed()
}

extension Creative {
  /// Pages are closed as soon as the ad's configuration lets them.
  package var closeDelay: Double { 0 }
}
