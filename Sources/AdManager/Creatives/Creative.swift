package import Core
package import Device

/// Creative with its own behaviour, independent of the view that shows it.
package protocol Creative: AnyObject {
  /// Delegate, held weakly; nil until it is the creative's turn to be shown, and again after its end.
  var delegate: (any CreativeDelegate)? { get set }
  /// View that shows the creative.
  var displayView: AdViewID { get }
  /// Indicates that the creative has ended for good: no part of it may be shown any more.
  var isGone: Bool { get }
  /// Seconds that its interstitial stays without a close control, unless it reports earlier that it may be closed.
  var closeDelay: Double { get }
  /// Called when its view is on the screen.
  func didDisplay()
  /// Called when the app goes to the background, and when a browser or player covers it.
  func pause()
  /// Called when it may go on.
  func resume()
  /// Called when the user taps the host's own close control on one of its modal states.
  func hostClosed()
}

extension Creative {
  /// Returns 0: pages can be closed as soon as the ad's configuration allows it.
  package var closeDelay: Double { 0 }
}

/// Requests and reports from a creative to the ad manager.
package protocol CreativeDelegate: AnyObject {
  /// The creative has ended.
  func creativeDidComplete(_ creative: any Creative)
  /// Its content is on the screen.
  func creativeDidDisplay(_ creative: any Creative)
  /// The user requested the advertiser's page.
  func creativeWasClicked(_ creative: any Creative)
  /// The user touched its view.
  func creativeViewWasClicked(_ creative: any Creative)
  /// The clickthrough browser was closed.
  func creativeClickthroughDidClose(_ creative: any Creative)
  /// Its interstitial was closed; `creativeDidComplete` follows.
  func creativeInterstitialDidClose(_ creative: any Creative)
  /// A click led out of the app.
  func creativeInterstitialDidLeaveApp(_ creative: any Creative)
  /// It returned from full screen to its slot, or the full-screen player was closed.
  func creativeFullScreenDidFinish(_ creative: any Creative)
  /// It requests a modal state; `completion` runs when that is laid out.
  func creativeShouldDisplayModalState(_ creative: any Creative, _ state: ModalState, completion: @escaping () -> Void)
  /// It requests the removal of its own modal state; `completion` runs after the layout, or at once if it had none.
  func creativeShouldCloseModalState(_ creative: any Creative, completion: @escaping () -> Void)
  /// Its own close delay is over: the host's close control may be used.
  func creativeMayBeClosed(_ creative: any Creative)
  /// It requests to be removed for good (MRAID unload).
  func creativeDidUnload(_ creative: any Creative)
}

/// Observer that gets every call of a creative to the ad manager, for the event log.
package protocol CreativeDelegateObserver: AnyObject {
  /// Called before the ad manager acts on a call; `name` is the delegate's method.
  func creativeDidCall(_ name: String, detail: JSONValue)
  /// The creative unloads itself; its call has been reported already.
  func creativeUnloads()
}

/// Destination of a click: SDKs show web pages in the app's own browser and pass everything else to the system.
enum ClickDestination: Hashable, Sendable {
  /// The clickthrough browser.
  case browser
  /// An app of the system, for the telephone, messages, a store and other schemes.
  case otherApp

  /// Schemes that the browser itself can show; an address without a scheme is relative to the creative's page.
  private static let schemes: Set<String?> = [nil, "http", "https", "about", "data", "creative"]

  /// Hosts of stores whose web addresses the system opens in the store's own app.
  private static let stores: Set<String> = [
    "apps.apple.com", "itunes.apple.com", "play.google.com", "market.android.com",
  ]

  /// Chooses the destination by scheme and host alone.
  init(_ address: String) {
    let leaves =
      !Self.schemes.contains(Self.scheme(of: address)) || Self.host(of: address).map(Self.stores.contains) == true
    self = leaves ? .otherApp : .browser
  }

  /// Scheme in lower case; nil for a relative address, even if it contains colons.
  private static func scheme(of address: String) -> String? {
    guard let colon = address.firstIndex(of: ":"), address.first?.isLetter == true else { return nil }
    let scheme = address[..<colon]
    let isLegal = scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isLegal ? scheme.lowercased() : nil
  }

  /// Host without user and port, in lower case; nil if the address has none.
  private static func host(of address: String) -> String? {
    let rest = scheme(of: address).map { address.dropFirst($0.count + 1) } ?? address[...]
    guard rest.hasPrefix("//") else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    let afterUser = authority.drop { $0 != "@" }.dropFirst()
    return (afterUser.isEmpty ? authority : afterUser).prefix { $0 != ":" }.lowercased()
  }
}
