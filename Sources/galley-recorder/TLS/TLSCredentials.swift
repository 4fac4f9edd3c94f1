internal import CGnuTLS

/// Certificates and a key that an end of TLS presents, or authorities that it trusts.
final class TLSCredentials {
  let pointer: gnutls_certificate_credentials_t

  private init() throws { pointer = try TLSError.made { gnutls_certificate_allocate_credentials($0) } }

  /// Presents a chain of certificates, the host's own first.
  convenience init(chain: [X509Certificate], key: X509Key) throws {
    try self.init()
    var certificates: [gnutls_x509_crt_t?] = chain.map(\.pointer)
    try TLSError.check(
      gnutls_certificate_set_x509_key(pointer, &certificates, Int32(chain.count), key.pointer))
  }

  /// Trusts the authorities in a PEM file, or those of the machine if it is nil.
  convenience init(trustedFile file: String?) throws {
    try self.init()
    let count =
      file.map { gnutls_certificate_set_x509_trust_file(pointer, $0, GNUTLS_X509_FMT_PEM) }
      ?? gnutls_certificate_set_x509_system_trust(pointer)
    try TLSError.check(count)
  }

  deinit { gnutls_certificate_free_credentials(pointer) }
}
