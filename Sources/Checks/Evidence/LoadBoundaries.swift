/// When the initial load was over, in milliseconds since the load began, by whoever defines it.
package struct LoadBoundaries: Hashable, Sendable, Codable {
  /// What ends the initial load.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// The window's load event: the IAB's.
    case load
    /// DOMContentLoaded.
    case domContentLoaded
    /// A second after DOMContentLoaded.
    case domContentLoadedPlusSecond
    /// `document.readyState` is `complete`.
    case complete
  }

  package var load: Double?
  package var domContentLoaded: Double?
  package var complete: Double?

  package init(load: Double? = nil, domContentLoaded: Double? = nil, complete: Double? = nil) {
    self.load = load
    self.domContentLoaded = domContentLoaded
    self.complete = complete
  }

  package subscript(kind: Kind) -> Double? {
    switch kind {
    case .load: load
    case .domContentLoaded: domContentLoaded
    case .domContentLoadedPlusSecond: domContentLoaded.map { $0 + 1000 }
    case .complete: complete
    }
  }
}
