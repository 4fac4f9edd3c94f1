internal import CGnuTLS
internal import Core
internal import Glibc

/// A key of the curve P-256.
final class X509Key {
  let pointer: gnutls_x509_privkey_t

  init() throws {
    pointer = try TLSError.made { gnutls_x509_privkey_init($0) }
    try TLSError.check(gnutls_x509_privkey_generate(pointer, GNUTLS_PK_ECDSA, gnutls_shim_p256_bits(), 0))
  }

  deinit { gnutls_x509_privkey_deinit(pointer) }
}

/// A certificate of version 3 (RFC 5280).
final class X509Certificate {
  let pointer: gnutls_x509_crt_t

  private init() throws { pointer = try TLSError.made { gnutls_x509_crt_init($0) } }

  /// Reads a certificate's DER bytes.
  convenience init(der: gnutls_datum_t) throws {
    try self.init()
    var der = der
    try TLSError.check(gnutls_x509_crt_import(pointer, &der, GNUTLS_X509_FMT_DER))
  }

  /// Creates an unsigned certificate with a random serial number, valid for `validity` seconds before and after now.
  convenience init(name: String, key: X509Key, secondsAround validity: Int) throws {
    try self.init()
    try TLSError.check(gnutls_x509_crt_set_version(pointer, 3))
    var serial = [UInt8](repeating: 0, count: 16)
    try TLSError.check(gnutls_rnd(GNUTLS_RND_NONCE, &serial, serial.count))
    // A positive number whose first byte isn't 0, as DER has it.
    serial[0] = serial[0] & 0x3f | 0x40
    try TLSError.check(gnutls_x509_crt_set_serial(pointer, serial, serial.count))
    let now = time(nil)
    try TLSError.check(gnutls_x509_crt_set_activation_time(pointer, now - validity))
    try TLSError.check(gnutls_x509_crt_set_expiration_time(pointer, now + validity))
    try TLSError.check(
      name.withCString {
        gnutls_x509_crt_set_dn_by_oid(pointer, GNUTLS_OID_X520_COMMON_NAME, 0, $0, UInt32(strlen($0)))
      })
    try TLSError.check(gnutls_x509_crt_set_key(pointer, key.pointer))
  }

  deinit { gnutls_x509_crt_deinit(pointer) }

  /// Makes it the certificate of an authority for hosts, but for no other authorities.
  func makeAuthority() throws {
    try TLSError.check(gnutls_x509_crt_set_basic_constraints(pointer, 1, 0))
    try TLSError.check(gnutls_x509_crt_set_key_usage(pointer, UInt32(GNUTLS_KEY_KEY_CERT_SIGN)))
  }

  /// Makes it the certificate of a server, for a host's name or address.
  func makeServer(for host: String) throws {
    try TLSError.check(gnutls_x509_crt_set_basic_constraints(pointer, 0, -1))
    try TLSError.check(gnutls_x509_crt_set_key_usage(pointer, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)))
    try TLSError.check(gnutls_x509_crt_set_key_purpose_oid(pointer, GNUTLS_KP_TLS_WWW_SERVER, 0))
    let number = IPAddress(host)?.bytes
    let bytes = number ?? Array(host.utf8)
    try TLSError.check(
      gnutls_x509_crt_set_subject_alt_name(
        pointer, number == nil ? GNUTLS_SAN_DNSNAME : GNUTLS_SAN_IPADDRESS, bytes, UInt32(bytes.count),
        UInt32(GNUTLS_FSAN_SET)))
  }

  /// Signs it with the issuer's certificate and key.
  func sign(by issuer: X509Certificate, _ key: X509Key) throws {
    try TLSError.check(gnutls_x509_crt_sign2(pointer, issuer.pointer, key.pointer, GNUTLS_DIG_SHA256, 0))
  }

  /// Name as in RFC 4514; empty if it can't be read.
  var subject: String { name(gnutls_x509_crt_get_dn3) }
  var issuer: String { name(gnutls_x509_crt_get_issuer_dn3) }

  private func name(
    _ read: (gnutls_x509_crt_t?, UnsafeMutablePointer<gnutls_datum_t>?, UInt32) -> Int32
  ) -> String {
    var text = gnutls_datum_t()
    guard read(pointer, &text, 0) >= 0, let bytes = text.data else { return "" }
    defer { gnutls_shim_free(bytes) }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(text.size)), as: UTF8.self)
  }

  /// Seconds since 1970 at the begin (`validFrom`) and the end (`validTo`) of the validity.
  var validFrom: Double { Double(gnutls_x509_crt_get_activation_time(pointer)) }
  var validTo: Double { Double(gnutls_x509_crt_get_expiration_time(pointer)) }
}
