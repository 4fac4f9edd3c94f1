internal import Core
internal import Crypto
internal import FoundationEssentials
internal import NIOSSL
internal import Recordings
internal import SwiftASN1
internal import X509

/// An authority made for one render, which vouches for every host to its pages. Its keys never leave this process.
final class CertificateAuthority {
  private let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
  private let leafKey = P256.Signing.PrivateKey()
  private let name: DistinguishedName
  private let own: NIOSSLCertificate
  private var contexts: [String: NIOSSLContext] = [:]
  /// Pages may speak to any number of hosts.
  private static let mostHosts = 10_000
  /// As long as any machine's clock may be wrong.
  private static let validity = (before: 3_600.0 * 24 * 400, after: 3_600.0 * 24 * 400)

  init() throws {
    name = try DistinguishedName { CommonName("Galley, for one render") }
    own = try NIOSSLCertificate(
      Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
        notValidBefore: Date(timeIntervalSinceNow: -Self.validity.before),
        notValidAfter: Date(timeIntervalSinceNow: Self.validity.after), issuer: name, subject: name,
        signatureAlgorithm: .ecdsaWithSHA256,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
          Critical(KeyUsage(keyCertSign: true))
        }, issuerPrivateKey: key))
  }

  /// What a host's end of TLS is set up with.
  func context(for host: String) throws -> NIOSSLContext {
    if let context = contexts[host] { return context }
    let leaf = try NIOSSLCertificate(try certificate(for: host))
    let key = try NIOSSLPrivateKey(bytes: Array(leafKey.derRepresentation), format: .der)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(leaf), .certificate(own)], privateKey: .privateKey(key))
    configuration.applicationProtocols = ["http/1.1"]
    let context = try NIOSSLContext(configuration: configuration)
    if contexts.count < Self.mostHosts { contexts[host] = context }
    return context
  }

  private func certificate(for host: String) throws -> Certificate {
    let subject: GeneralName =
      IPAddress(host).map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) } ?? .dnsName(host)
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(leafKey.publicKey),
      notValidBefore: Date(timeIntervalSinceNow: -Self.validity.before / 2),
      notValidAfter: Date(timeIntervalSinceNow: Self.validity.after / 2), issuer: name,
      subject: try DistinguishedName { CommonName(String(host.prefix(64))) }, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames([subject])
      }, issuerPrivateKey: key)
  }
}

extension NIOSSLCertificate {
  /// The same certificate for the library that speaks TLS.
  fileprivate convenience init(_ certificate: Certificate) throws {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    try self.init(bytes: serializer.serializedBytes, format: .der)
  }
}

/// What a host's certificate says of itself.
enum CertificateFacts {
  static func tls(version: TLSVersion, _ certificate: NIOSSLCertificate?) -> Exchange.TLS? {
    let name =
      switch version {
      case .tlsv13: "TLSv1.3"
      case .tlsv12: "TLSv1.2"
      case .tlsv11: "TLSv1.1"
      default: "TLSv1"
      }
    guard let bytes = try? certificate?.toDERBytes(), let facts = try? Certificate(derEncoded: bytes) else {
      return Exchange.TLS(version: name, subject: "", issuer: "", validFrom: 0, validTo: 0)
    }
    return Exchange.TLS(
      version: name, subject: "\(facts.subject)", issuer: "\(facts.issuer)",
      validFrom: facts.notValidBefore.timeIntervalSince1970, validTo: facts.notValidAfter.timeIntervalSince1970)
  }
}
