/// Certificate authority of one render, which certifies every host to its pages. Its keys never leave this process.
final class CertificateAuthority {
  private let key: X509Key
  private let leafKey: X509Key
  let own: X509Certificate
  private var credentials: [String: TLSCredentials] = [:]
  /// Maximum number of hosts whose certificates are stored; pages may contact any number.
  private static let mostHosts = 10_000
  /// Seconds of validity before and after now, as the clocks of machines may be wrong.
  private static let validity = 3_600 * 24 * 400

  init() throws {
    (key, leafKey) = (try X509Key(), try X509Key())
    own = try X509Certificate(name: "Galley, for one render", key: key, secondsAround: Self.validity)
    try own.makeAuthority()
    try own.sign(by: own, key)
  }

  /// Returns the certificates for the end of a host's TLS.
  func credentials(for host: String) throws -> TLSCredentials {
    if let made = credentials[host] { return made }
    let leaf = try X509Certificate(name: String(host.prefix(64)), key: leafKey, secondsAround: Self.validity / 2)
    try leaf.makeServer(for: host)
    try leaf.sign(by: own, key)
    let made = try TLSCredentials(chain: [leaf, own], key: leafKey)
    if credentials.count < Self.mostHosts { credentials[host] = made }
    return made
  }
}
