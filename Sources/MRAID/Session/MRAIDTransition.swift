/// One change of state that stands on screen.
package struct MRAIDTransition: Hashable, Sendable {
  package var from: MRAIDState
  package var to: MRAIDState
  /// `ready`, `expand`, `resize`, `close` or `hostClose`.
  package var cause: String
}
