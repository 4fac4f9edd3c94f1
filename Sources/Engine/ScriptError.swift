/// Error of a script that couldn't be run, or that threw.
package struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// Indicates that the script itself threw, in a page that was there.
  package let isThrown: Bool

  package init(description: String, isThrown: Bool = false) {
    self.description = description
    self.isThrown = isThrown
  }

  /// Error of a call into a document that is gone.
  package static let wentElsewhere = ScriptError(description: "the page went elsewhere")
}
