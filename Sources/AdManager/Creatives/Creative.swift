package import Core

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

/// Hears of every call that a creative makes to the ad manager, for the event log.
package protocol CreativeDelegateObserver: AnyObject {
  /// Called before the ad manager acts on it; `name` is the delegate's method.
  func creativeDidCall(_ name: String, detail: JSONValue)
  /// The creative takes itself away; its call has been told.
  func creativeUnloads()
}

/// Where a click leads: SDKs show web pages in the app's own browser and hand everything else to the system.
enum ClickDestination: Hashable, Sendable {
  /// The clickthrough browser.
  case browser
  /// The telephone, messages, a store or whatever else the system has for it.
  case otherApp

  /// What the browser itself can show; an address without a scheme is relative to the creative's page.
  private static let schemes: Set<String?> = [nil, "http", "https", "about", "data", "creative"]

  /// Stores whose web addresses the system opens in the store's own app.
  private static let stores: Set<String> = [
    "apps.apple.com", "itunes.apple.com", "play.google.com", "market.android.com",
  ]

  /// Judges by scheme and host alone.
  init(_ address: String) {
    let leaves =
      !Self.schemes.contains(Self.scheme(of: address)) || Self.host(of: address).map(Self.stores.contains) == true
    self = leaves ? .otherApp : .browser
  }

  /// In lower case; nil for a relative address, whatever colons it has.
  private static func scheme(of address: String) -> String? {
    guard let colon = address.firstIndex(of: ":"), address.first?.isLetter == true else { return nil }
    let scheme = address[..<colon]
    let isLegal = scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isLegal ? scheme.lowercased() : nil
  }

  /// The host without user and port, in lower case; nil where the address has none.
  private static func host(of address: String) -> String? {
    let rest = scheme(of: address).map { address.dropFirst($0.count + 1) } ?? address[...]
    guard rest.hasPrefix("//") else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    let afterUser = authority.drop { $0 != "@" }.dropFirst()
    return (afterUser.isEmpty ? authority : afterUser).prefix { $0 != ":" }.lowercased()
  }
}
