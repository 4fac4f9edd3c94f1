/// Where a creative's pages may go, and when one goes from document to document without an end.
package struct NavigationPolicy: Hashable, Sendable {
  /// What decides about a page.
  package struct Page: Hashable, Sendable {
    /// Whether it shows what the ad's maker made, rather than something of the host's.
    package var isAds: Bool
    /// Whether its first navigation was allowed.
    package var hasStarted: Bool
    /// Whether a document of it has begun to arrive.
    package var hasCommitted: Bool

    package init(isAds: Bool, hasStarted: Bool, hasCommitted: Bool) {
      self.isAds = isAds
      self.hasStarted = hasStarted
      self.hasCommitted = hasCommitted
    }
  }

  /// What becomes of a load of the main frame.
  package enum Start: Hashable, Sendable {
    /// Its first document, or a page of the host's: nothing is logged.
    case first
    /// The creative sent itself to another document.
    case within
    /// The same, so often that it is stopped as a loop; how many documents those were.
    case loop(Int)
    /// It would leave the ad, and is stopped.
    case stopped
  }

  /// The creative's own files, without a slash at the end.
  private let origin: String
  /// Documents the creative's main frame went to by itself.
  package private(set) var documents = 0
  /// When it last went to one, or had loaded where it went.
  private var lastChange: Duration?

  /// Main-frame documents a creative may go to by itself before it counts as a loop.
  private static let mostDocuments = 20

  /// How long a creative has to stay on a document it went to by itself to count as having arrived.
  package static let shortestStay = Duration.milliseconds(150)

  package init(origin: String) { self.origin = origin }

  /// Whether a frame may go to an address. A person's click leads out of the ad: the host catches and opens it.
  ///
  /// The engine doesn't say which frame asks, so a navigation without a gesture is let go here, links and forms that a
  /// script follows included; if it turns out to be the main frame's, `starts` stops it.
  package func allows(_ url: String, gesture: Bool, of page: Page) -> Bool {
    !page.isAds || !page.hasStarted || staysInside(url) || !gesture
  }

  /// The main frame's load of an address starts; `mayRedirect` while a creative of a web server's is still loading.
  package mutating func starts(_ url: String, of page: Page, mayRedirect: Bool, at now: Duration) -> Start {
    guard page.isAds, page.hasCommitted else { return .first }
    guard staysInside(url) || mayRedirect else { return .stopped }
    documents += 1
    lastChange = now
    return documents > Self.mostDocuments ? .loop(documents) : .within
  }

  /// The creative's own page has loaded its document.
  package mutating func loaded(at now: Duration) {
    if lastChange != nil { lastChange = now }
  }

  /// Whether the creative went to another document just now, or one it went to isn't there yet.
  package func isNavigating(at now: Duration, isLoaded: Bool) -> Bool {
    guard let lastChange else { return false }
    return now - lastChange < Self.shortestStay || !isLoaded
  }

  private func staysInside(_ url: String) -> Bool {
    url == origin || url.hasPrefix(origin + "/") || url.hasPrefix("about:") || url.hasPrefix("javascript:")
  }
}
