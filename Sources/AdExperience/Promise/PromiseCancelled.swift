/// Why a promise that was cancelled brings nothing; no fault of anybody's.
package struct PromiseCancelled: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String { "cancelled" }

  package init() {}
}
