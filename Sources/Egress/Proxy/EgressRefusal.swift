/// A connection that was asked for and not made.
package struct EgressRefusal: Error, Hashable, Sendable {
  /// Why not.
  package enum Reason: Hashable, Sendable {
    /// All addresses of the host are of a kind that may not be spoken to; the first of them.
    case address(AddressPolicy.Refusal, IPAddress)
    /// Nothing may be spoken to that isn't given as a number, so the name wasn't asked for.
    case offline
    /// The name isn't known.
    case unknownHost
    /// Nobody answered, or not in time.
    case unreachable
  }

  /// As it was asked for.
  package var host: String
  package var port: Int
  package var reason: Reason

  /// The stable word for it: `loopback`, `private`, …, `unknown-host`, `unreachable`.
  package var code: String {
    switch reason {
    case .address(let refusal, _): refusal.rawValue
    case .offline: AddressPolicy.Refusal.offline.rawValue
    case .unknownHost: "unknown-host"
    case .unreachable: "unreachable"
    }
  }

  /// Whether it was forbidden, rather than in vain.
  package var isForbidden: Bool {
    switch reason {
    case .address, .offline: true
    case .unknownHost, .unreachable: false
    }
  }
}
