internal import Glibc

/// Test of this machine's network access, made at most once a run and only if no request of any ad was answered.
enum MachineNetwork {
  /// Names that always exist: IANA's own.
  private static let names = ["example.com", "iana.org"]

  /// Indicates if none of the names resolves, as without a network or name server.
  static let isOff = !names.contains { isKnown($0) }

  private static func isKnown(_ name: String) -> Bool {
    var answer: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, nil, &answer) == 0 else { return false }
    freeaddrinfo(answer)
    return true
  }
}
