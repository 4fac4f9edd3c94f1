package import MRAID

/// What an HTML creative needs of the world around it.
package protocol CreativeHost: AnyObject {
  /// Brings a page up to date and dispatches events in it, after everything delivered before.
  func deliver(_ update: BridgeUpdate, to part: AdPart)
  /// The screen as it is now.
  var geometry: HostGeometry { get }
  /// What can be seen of the creative now.
  var exposure: Exposure { get }
  /// Loads the page of a two-part expand; `false` when the address can't be loaded.
  func loadSecondPart(_ url: String) -> Bool
  /// Ends the page of a two-part expand.
  func discardSecondPart()
  /// The creative took itself away before it was its turn: if it still loads, its load has failed.
  func failLoading(_ error: AdError)
  /// Turns the app as the ad wishes, if the app allows it; before the next layout.
  func apply(_ orientation: OrientationProperties)
  /// Turns the app back to how it stood before an ad turned it.
  func restoreOrientation()
  /// Milliseconds since the load began.
  var now: Double { get }
  /// Runs `action` later, unless the render is over.
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void)
  /// Notes something in the event log.
  func record(_ source: CreativeLogSource, _ name: String, _ detail: JSONValue)
  /// The session moved from one state to another, or again to the same.
  func stateChanged(_ transition: MRAIDTransition)
}
