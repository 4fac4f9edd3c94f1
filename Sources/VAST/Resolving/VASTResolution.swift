/// What following a response's wrappers came to.
package struct VASTResolution: Hashable, Sendable {
  /// In the order they are to be played.
  package var ads: [ResolvedAd] = []
  /// Everything that went wrong on the way, in the order it was found.
  package var problems: [VASTProblem] = []
  /// What was mended or passed over, and in which response: nil for the first.
  package var flaws: [Flaw] = []
  /// Addresses that were loaded, in order.
  package var loaded: [String] = []

  /// A flaw of a response that was come to by this address.
  package struct Flaw: Hashable, Sendable {
    package var flaw: VASTFlaw
    package var url: String?
  }
}

/// Something wrong with an ad, and who has to be told.
package struct VASTProblem: Error, Hashable, Sendable {
  package var code: VASTErrorCode
  package var message: String
  /// Error addresses with their macros as they were written.
  package var beacons: [String]

  package init(_ code: VASTErrorCode, _ message: String, beacons: [String] = []) {
    self.code = code
    self.message = message
    self.beacons = beacons
  }
}

/// Why a wrapper's response didn't come.
package struct VASTFetchFailure: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The address is none, or nobody answers there as a server should.
    case unreachable
    case timedOut
  }
  package var kind: Kind
  package var reason: String

  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}
