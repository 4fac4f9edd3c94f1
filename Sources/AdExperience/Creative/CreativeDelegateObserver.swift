package import MRAID

/// Hears of every call that a creative makes to the ad manager, for the event log.
package protocol CreativeDelegateObserver: AnyObject {
  /// Called before the ad manager acts on it; `name` is the delegate's method.
  func creativeDidCall(_ name: String, detail: JSONValue)
}
