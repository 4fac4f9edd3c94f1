package import Core

/// A fault for some requests, as in `host=cdn.* status=503 at=first`.
package struct NetworkFault: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// The answer is this status and nothing else.
    case status(Int)
    /// The host's name is unknown.
    case dns
    /// The connection is closed.
    case reset
    /// No answer ever comes.
    case stall
    /// TLS can't be negotiated.
    case tls
  }

  /// Selection among the requests that the fault concerns: all, or the one of a number, from 1.
  package enum Turn: Hashable, Sendable {
    case all
    case only(Int)
  }

  package private(set) var host = "*"
  package private(set) var path: String?
  package private(set) var method: String?
  package private(set) var turn = Turn.all
  package let effect: Effect

  /// Parses a fault: words separated by spaces, exactly one of which is the effect.
  package init(parsing text: String) throws(Fault) {
    var effects: [Effect] = []
    let words = text.split(separator: " ")
    for word in words {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch (pair[0], pair.count > 1 ? pair[1] : nil) {
      case ("host", let value?) where !value.isEmpty: host = value
      case ("path", let value?) where !value.isEmpty: path = value
      case ("method", let value?) where !value.isEmpty: method = value.uppercased()
      case ("at", "first"): turn = .only(1)
      case ("at", "all"): turn = .all
      case ("at", let value?):
        guard let number = Int(value), (1...100_000).contains(number) else { throw Self.fault(text) }
        turn = .only(number)
      case ("status", let value?):
        guard let status = Int(value), (200...599).contains(status) else { throw Self.fault(text) }
        effects.append(.status(status))
      case ("dns", nil): effects.append(.dns)
      case ("reset", nil): effects.append(.reset)
      case ("stall", nil): effects.append(.stall)
      case ("tls", nil): effects.append(.tls)
      default: throw Self.fault(text)
      }
    }
    guard effects.count == 1 else { throw Self.fault(text) }
    effect = effects[0]
  }

  /// Indicates if the request matches the host, path and method, regardless of its turn.
  func concerns(_ request: AskedRequest) -> Bool {
    let address = RequestAddress(request.url)
    let tail = address.base.firstRange(of: "://").map { address.base[$0.upperBound...] } ?? address.base[...]
    let path = String(tail.drop { $0 != "/" })
    return Glob.matches(host, address.host) && self.path.map { Glob.matches($0, path) } ?? true
      && method.map { $0 == request.method } ?? true
  }

  private static func fault(_ text: String) -> Fault {
    .request(
      "network-fault-invalid",
      "'\(text)' isn't a fault: write host=NAME, path=PATH or method=NAME, then one of status=503, dns, reset, "
        + "stall, tls, and at=first or at=3"
    )
  }
}

/// Faults, each with the number of requests that it concerned so far.
package struct FaultPlan: Sendable {
  private let faults: [NetworkFault]
  private var met: [Int]

  package init(_ faults: [NetworkFault]) {
    self.faults = faults
    met = faults.map { _ in 0 }
  }

  /// Returns the effect on a request and counts the request; nil for no effect.
  package mutating func effect(for request: AskedRequest) -> NetworkFault.Effect? {
    var effect: NetworkFault.Effect?
    for (index, fault) in faults.enumerated() where fault.concerns(request) {
      met[index] += 1
      if fault.turn == .all || fault.turn == .only(met[index]) { effect = effect ?? fault.effect }
    }
    return effect
  }
}
