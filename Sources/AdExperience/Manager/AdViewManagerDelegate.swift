/// What an ad view hears of its ad; nothing here tells what kind of creative it is.
///
/// An ad gives: adLoaded or failedToLoad; adDidDisplay; clicks, expands and collapses; and at its end adDidClose, then
/// adDidComplete, unless it was complete before. The manager may be called back from any of these.
package protocol AdViewManagerDelegate: AnyObject {
  /// An ad is ready to be shown.
  func adLoaded(_ details: AdDetails)
  /// There is no ad, and why.
  func failedToLoad(_ error: AdError)
  /// The ad has nothing more to show; once per ad.
  func adDidComplete()
  /// The ad appeared in its view.
  func adDidDisplay()
  /// The interstitial was closed, or the ad took itself away.
  func adDidClose()
  /// The person asked for the advertiser's page.
  func adWasClicked()
  /// The person touched the ad's view, whatever that leads to.
  func adViewWasClicked()
  /// A click led out of the app.
  func adDidLeaveApp()
  /// The clickthrough browser is gone.
  func adClickthroughDidClose()
  /// The ad left its slot for the whole content area; a resize doesn't count.
  func adDidExpand()
  /// The expanded ad came back or is gone; once for each adDidExpand.
  func adDidCollapse()
}
