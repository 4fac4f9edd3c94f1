package import MRAID

/// From one MRAID state to another.
package struct StateChange: Hashable, Sendable {
  package var from: MRAIDState
  package var to: MRAIDState

  package init(from: MRAIDState, to: MRAIDState) {
    self.from = from
    self.to = to
  }
}

extension StateChange: CustomStringConvertible {
  package var description: String { "\(from.rawValue) → \(to.rawValue)" }
}
