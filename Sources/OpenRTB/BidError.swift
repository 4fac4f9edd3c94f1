/// Why bytes aren't a bid response that can be shown, and where in it.
package struct BidError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Stable: `bid-invalid`, `no-bid`.
  package var code: String
  /// One line a person can act on.
  package var description: String

  package init(_ code: String, _ description: String) {
    self.code = code
    self.description = description
  }
}
