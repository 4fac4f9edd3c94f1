/// Decides the addresses that a creative's pages may navigate to, and detects endless navigation between documents.
package struct NavigationPolicy: Hashable, Sendable {
  /// Facts about a page that the decision depends on.
  package struct Page: Hashable, Sendable {
    /// Indicates that the page shows the advertiser's content rather than the host's.
    package var isAds: Bool
    /// Indicates that the page's first navigation was allowed.
    package var hasStarted: Bool
    /// Indicates that a document of the page has begun to arrive.
    package var hasCommitted: Bool

    package init(isAds: Bool, hasStarted: Bool, hasCommitted: Bool) {
      self.isAds = isAds
      self.hasStarted = hasStarted
      self.hasCommitted = hasCommitted
    }
  }

  /// Decision about a load in the main frame.
  package enum Start: Hashable, Sendable {
    /// First document of a page, or a page of the host's: nothing is logged.
    case first
    /// The creative navigated to another document.
    case within
    /// The creative navigated so often that it is stopped as a loop; with the number of documents.
    case loop(Int)
    /// The navigation would leave the ad, and is stopped.
    case stopped
  }

  /// Address of the creative's own files, without a slash at the end.
  private let origin: String
  /// Number of documents that the creative's main frame navigated to by itself.
  package private(set) var documents = 0
  /// Time of the latest such navigation, or of the end of its load; nil before the first.
  private var lastChange: Duration?

  /// Maximum number of documents that the creative's main frame may navigate to before it counts as a loop.
  private static let mostDocuments = 20

  /// Time that a creative must stay on a document it navigated to before it counts as having arrived.
  package static let shortestStay = Duration.milliseconds(150)

  package init(origin: String) { self.origin = origin }

  /// Decides if a frame may navigate to an address; a user's click leads out of the ad, so the host opens it instead.
  ///
  /// The engine doesn't report the frame of the navigation, so a navigation without a gesture is allowed here, links
  /// and forms that a script follows included; if it turns out to be the main frame's, `starts` stops it.
  package func allows(_ url: String, gesture: Bool, of page: Page) -> Bool {
    if !page.isAds || !page.hasStarted || staysInside(url) { return true }
    // No frame can show what is for an app, a store's address for one: it is stopped here, whichever frame asks.
    return !gesture && !Self.isForApps(url)
  }

  private static func isForApps(_ url: String) -> Bool {
    guard let colon = url.firstIndex(of: ":") else { return false }
    return !engineSchemes.contains(url[..<colon].lowercased())
  }

  /// Schemes that the engine itself loads or refuses.
  private static let engineSchemes: Set<String> = [
    "http", "https", "ws", "wss", "data", "blob", "about", "javascript", "creative", "file", "webkit", "resource",
    "ftp",
    "webkit-pdfjs-viewer",
  ]

  /// Decides about a load that starts in the main frame; `mayRedirect` while a web server's creative is still loading.
  package mutating func starts(_ url: String, of page: Page, mayRedirect: Bool, at now: Duration) -> Start {
    guard page.isAds, page.hasCommitted else { return .first }
    guard staysInside(url) || mayRedirect else { return .stopped }
    documents += 1
    lastChange = now
    return documents > Self.mostDocuments ? .loop(documents) : .within
  }

  /// Notes that the creative's own page has loaded its document.
  package mutating func loaded(at now: Duration) {
    if lastChange != nil { lastChange = now }
  }

  /// Indicates that the creative has just navigated to another document, or that this document isn't loaded yet.
  package func isNavigating(at now: Duration, isLoaded: Bool) -> Bool {
    guard let lastChange else { return false }
    return now - lastChange < Self.shortestStay || !isLoaded
  }

  private func staysInside(_ url: String) -> Bool {
    url == origin || url.hasPrefix(origin + "/") || url.hasPrefix("about:") || url.hasPrefix("javascript:")
  }
}
