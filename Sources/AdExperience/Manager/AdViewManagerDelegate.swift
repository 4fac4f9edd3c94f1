package import MRAID

/// What an ad view hears of its ad; nothing here tells what kind of creative it is.
package protocol AdViewManagerDelegate: AnyObject {
  func adLoaded(_ details: AdDetails)
  func failedToLoad(_ error: AdError)
  func adDidComplete()
  func adDidDisplay()
  func adDidClose()
  func adWasClicked()
  func adViewWasClicked()
  func adDidLeaveApp()
  func adClickthroughDidClose()
  func adDidExpand()
  func adDidCollapse()
}

/// Where a banner is shown.
package protocol AdSlot: AnyObject {
  /// Puts the view into the slot.
  func show(_ view: AdViewID)
  /// Empties the slot.
  func clear()
}

/// Hears of every call that a creative makes to the ad manager, for the event log.
package protocol CreativeDelegateObserver: AnyObject {
  func creativeDidCall(_ name: String, detail: JSONValue)
}
