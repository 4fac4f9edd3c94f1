/// Why an ad couldn't be loaded.
package struct AdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in words, as the event log has it.
  package var description: String
  /// Stable, for machines.
  package var code: String

  /// An error for this reason.
  package init(_ description: String, code: String = "load-failed") {
    self.description = description
    self.code = code
  }

  /// The creative called `unload()` before its load had ended.
  package static let unloadedWhileLoading = AdError("the creative unloaded itself while it was loading")

  /// Whatever broke a chain, as an ad view is told of it.
  package init(_ error: any Error) {
    self = error as? AdError ?? AdError("\(error)")
  }
}
