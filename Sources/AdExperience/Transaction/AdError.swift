/// Why an ad couldn't be loaded.
package struct AdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in words, as the event log has it.
  package var description: String

  /// An error for this reason.
  package init(_ description: String) { self.description = description }

  /// The creative called `unload()` before its load had ended.
  package static let unloadedWhileLoading = AdError("the creative unloaded itself while it was loading")
}
