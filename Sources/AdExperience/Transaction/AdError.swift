package import VAST

/// Why an ad couldn't be loaded.
package struct AdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in words, as the event log has it.
  package var description: String
  /// Stable, for machines.
  package var code: String
  /// What VAST calls it, where that is what was wrong and nobody has been told yet.
  package var untold: VASTErrorCode?

  /// An error for this reason.
  package init(_ description: String, code: String = "load-failed", untold: VASTErrorCode? = nil) {
    self.description = description
    self.code = code
    self.untold = untold
  }

  private static let loadFailed = "load-failed"

  /// Whether another try may do better: an answer that is none stays so, and what was slow holds up the others.
  package var isPassing: Bool { code == Self.loadFailed }

  /// The creative called `unload()` before its load had ended.
  package static let unloadedWhileLoading = AdError("the creative unloaded itself while it was loading")

  /// Whatever broke a chain, as an ad view is told of it.
  package init(_ error: any Error) {
    self = error as? AdError ?? AdError("\(error)")
  }
}
