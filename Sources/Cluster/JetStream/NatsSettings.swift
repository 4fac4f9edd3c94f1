package import Core

/// Addresses of NATS servers and the identity of the client.
package struct NatsSettings: Sendable {
  /// Identity of the client; a name with a password is part of the address instead.
  package enum Identity: Sendable {
    /// No identity, or the one in the addresses.
    case none
    /// A credentials file, with a JWT and the seed of its key.
    case credentials(file: String)
    /// A public NKey (`U…`), and the file with its seed (`SU…`).
    case nkey(String, seedFile: String)
  }
  /// Files by which client and server verify each other; addresses then begin with `tls://`.
  package struct TLS: Sendable {
    /// File of the authorities that may have signed the server's certificate; nil for the system's.
    package var authorities: String?
    /// Files of the client's certificate chain and key; nil for none.
    package var certificate: (chain: String, key: String)?

    package init(authorities: String? = nil, certificate: (chain: String, key: String)? = nil) {
      (self.authorities, self.certificate) = (authorities, certificate)
    }
  }

  /// Addresses like `nats://host:4222`; any may answer.
  package var servers: [String]
  package var identity = Identity.none
  /// Files for TLS; nil without TLS.
  package var tls: TLS?
  /// Name of this client in the server's lists.
  package var name = "galley"
  /// Time limit of one attempt to connect, or of one call.
  package var timeout = Duration.seconds(5)
  /// Pause before the next attempt to reconnect.
  package var reconnectWait = Duration.milliseconds(500)
  /// Maximum number of unsent bytes while the connection is lost.
  package var buffer = 1_000_000
  /// Subject below which answers arrive; nil for the default of all NATS clients.
  package var inbox: String?
  /// Maximum number of calls that block at a time.
  package var width = 8

  /// Reads a list of 1 to 32 addresses, separated by commas.
  package init(_ list: String) throws(Fault) {
    servers = list.split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    guard (1...32).contains(servers.count), servers.allSatisfy(Self.isAddress) else {
      throw .request(
        "nats-argument-invalid", "\(list) must be a list of at most 32 URLs like nats://host:4222 or tls://host:4222")
    }
    if servers.contains(where: { $0.hasPrefix("tls://") }) { tls = TLS() }
  }

  private static func isAddress(_ text: String) -> Bool {
    guard let scheme = ["nats://", "tls://"].first(where: text.hasPrefix) else { return false }
    return text.utf8.count <= 1000 && text.utf8.count > scheme.utf8.count
      && text.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 32 && $0.value != 127 }
  }
}
