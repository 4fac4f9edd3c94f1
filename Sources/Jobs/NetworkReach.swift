/// What of the network a creative may speak to.
package struct NetworkReach: Hashable, Sendable, Codable {
  /// The kinds of reach, as the command line has them.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Whatever the machine itself reaches.
    case any
    /// The public internet: no private, loopback, link-local or metadata address, however it is spelled.
    case `public`
    /// Nothing, not even this machine; a creative's own files don't go by the network.
    case none
  }

  package var kind: Kind
  /// Blocks of addresses that `public` and `none` may reach besides, as `10.1.0.0/16`.
  package var allowed: [String]

  package init(_ kind: Kind, allowed: [String] = []) {
    self.kind = kind
    self.allowed = allowed
  }

  package static let any = NetworkReach(.any)
  package static let publicInternet = NetworkReach(.public)
  package static let none = NetworkReach(.none)
}
