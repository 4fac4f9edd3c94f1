package import Core

/// Where a NATS server is, and how it knows who calls.
package struct NatsSettings: Sendable {
  /// Who calls; a name with a password stands in the address.
  package enum Identity: Sendable {
    /// Nobody, or whom the addresses name.
    case none
    /// A credentials file, with a JWT and the seed of its key.
    case credentials(file: String)
    /// A public NKey (`U…`), and the file with its seed (`SU…`).
    case nkey(String, seedFile: String)
  }
  /// Files by which both sides know each other; addresses begin with `tls://` then.
  package struct TLS: Sendable {
    /// The authorities that may have signed the server's certificate; nil for the system's.
    package var authorities: String?
    /// The certificate chain and the key to show; nil for none.
    package var certificate: (chain: String, key: String)?

    package init(authorities: String? = nil, certificate: (chain: String, key: String)? = nil) {
      (self.authorities, self.certificate) = (authorities, certificate)
    }
  }

  /// Addresses like `nats://host:4222`; any may answer.
  package var servers: [String]
  package var identity = Identity.none
  /// Nil without TLS.
  package var tls: TLS?
  /// What the server's lists call this client.
  package var name = "galley"
  /// How long one attempt to connect, or one call, may take.
  package var timeout = Duration.seconds(5)
  /// How long to wait before the next attempt at a server that was lost.
  package var reconnectWait = Duration.milliseconds(500)
  /// Bytes that may wait while the connection is lost.
  package var buffer = 1_000_000
  /// Calls that may block at a time.
  package var width = 8

  /// Addresses in a list with commas: 1 to 32 of them.
  package init(_ list: String) throws(Fault) {
    servers = list.split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    guard (1...32).contains(servers.count), servers.allSatisfy(Self.isAddress) else {
      throw .request(
        "nats-argument-invalid", "\(list) is no list of up to 32 addresses like nats://host:4222 or tls://host:4222")
    }
    if servers.contains(where: { $0.hasPrefix("tls://") }) { tls = TLS() }
  }

  private static func isAddress(_ text: String) -> Bool {
    guard let scheme = ["nats://", "tls://"].first(where: text.hasPrefix) else { return false }
    return text.utf8.count <= 1000 && text.utf8.count > scheme.utf8.count
      && text.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 32 && $0.value != 127 }
  }
}
