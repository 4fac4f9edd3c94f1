package import Core

/// Something that is to go wrong with some requests, like `host=cdn.* status=503 at=first`.
package struct NetworkFault: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// Answered with this status and nothing else.
    case status(Int)
    /// The name isn't known.
    case dns
    /// The connection ends.
    case reset
    /// Nothing ever comes.
    case stall
    /// No protection can be agreed on.
    case tls
  }

  /// Which of the requests that it is for.
  package enum Turn: Hashable, Sendable {
    case all
    case only(Int)
  }

  package private(set) var host = "*"
  package private(set) var path: String?
  package private(set) var method: String?
  package private(set) var turn = Turn.all
  package let effect: Effect

  /// Reads one: words apart by spaces, of which one says what happens.
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

  /// Whether it is about such a request at all.
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
      "'\(text)' is no fault: write host=NAME, path=PATH or method=NAME, then one of status=503, dns, reset, stall, tls, and at=first or at=3"
    )
  }
}

/// Faults, and how often each has been met.
package struct FaultPlan: Sendable {
  private let faults: [NetworkFault]
  private var met: [Int]

  package init(_ faults: [NetworkFault]) {
    self.faults = faults
    met = faults.map { _ in 0 }
  }

  /// What happens to a request; nil for nothing.
  package mutating func effect(for request: AskedRequest) -> NetworkFault.Effect? {
    var effect: NetworkFault.Effect?
    for (index, fault) in faults.enumerated() where fault.concerns(request) {
      met[index] += 1
      if fault.turn == .all || fault.turn == .only(met[index]) { effect = effect ?? fault.effect }
    }
    return effect
  }
}
