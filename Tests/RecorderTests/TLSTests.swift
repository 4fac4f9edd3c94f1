import CGnuTLS
import Foundation
import NIOCore
import NIOEmbedded
import TestFolders
import Testing

@testable import galley_recorder

/// Both ends of TLS as a recorder has them: a page's, which trusts the render's authority, and a host's.
@Suite struct TLSTests {
  private let scratch: TestFolder
  private let authority: CertificateAuthority
  private let trust: TLSCredentials

  init() throws {
    scratch = try TestFolder()
    authority = try CertificateAuthority()
    let file = "\(scratch.path)/authority.pem"
    try Self.pem(authority.own).write(toFile: file, atomically: true, encoding: .utf8)
    trust = try TLSCredentials(trustedFile: file)
  }

  private static func pem(_ certificate: X509Certificate) throws -> String {
    var text = gnutls_datum_t()
    try TLSError.check(gnutls_x509_crt_export2(certificate.pointer, GNUTLS_X509_FMT_PEM, &text))
    defer { gnutls_shim_free(text.data) }
    return String(decoding: UnsafeBufferPointer(start: text.data, count: Int(text.size)), as: UTF8.self)
  }

  /// A page's and a host's end, each the last of a channel.
  private func ends(
    of host: String, named name: String? = nil, trusting trust: TLSCredentials? = nil
  ) throws -> (page: EmbeddedChannel, host: EmbeddedChannel) {
    let isNumber = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    let page = EmbeddedChannel(
      handler: TLSHandler(try .client(trust ?? self.trust, host: name ?? host, isNumber: isNumber)))
    let other = EmbeddedChannel(handler: TLSHandler(try .server(authority.credentials(for: host))))
    for channel in [page, other] { try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 9)).wait() }
    return (page, other)
  }

  /// Transfers bytes in both directions until neither end has any.
  private func talk(_ one: EmbeddedChannel, _ other: EmbeddedChannel) throws {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for (from, to) in [(one, other), (other, one)] {
        while let bytes = try from.readOutbound(as: ByteBuffer.self) {
          isQuiet = false
          try to.writeInbound(bytes)
        }
      }
    }
  }

  private func plain(_ channel: EmbeddedChannel) throws -> String {
    var text = ""
    while let bytes = try channel.readInbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
    return text
  }

  @Test(arguments: ["a.example", "127.0.0.1", "::1", String(repeating: "long.", count: 20) + "example"])
  func eachHostHasACertificateThatItsPageTrusts(host: String) throws {
    let (page, other) = try ends(of: host)
    let large = String(repeating: "large ", count: 50_000)
    // What is written before hands are shaken goes once they are.
    let sent = page.writeAndFlush(ByteBuffer(string: large))
    try talk(page, other)
    try sent.wait()
    #expect(try plain(other) == large)
    try other.writeOutbound(ByteBuffer(string: "answer"))
    try talk(page, other)
    #expect(try plain(page) == "answer")
    let session = try page.pipeline.syncOperations.handler(type: TLSHandler.self).session
    let certificate = try #require(session.certificate)
    #expect(session.version == "TLSv1.3" && certificate.issuer == "CN=Galley\\, for one render")
    #expect(certificate.subject == "CN=\(host.prefix(64))" && certificate.validFrom < Date().timeIntervalSince1970)
    #expect(certificate.validTo > Date().timeIntervalSince1970)
  }

  @Test func whoSaysItsLastIsHeard() throws {
    let (page, other) = try ends(of: "a.example")
    try talk(page, other)
    try other.writeOutbound(ByteBuffer(string: "all"))
    other.close(promise: nil)
    try talk(page, other)
    #expect(try plain(page) == "all")
    #expect(!page.isActive)
  }

  @Test func anEndOfTheWireAloneIsAFailure() throws {
    let (page, other) = try ends(of: "a.example")
    try talk(page, other)
    #expect(throws: TLSError.self) {
      page.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      try page.throwIfErrorCaught()
    }
    #expect(!page.isActive)
  }

  @Test func anotherHostsCertificateIsRefused() throws {
    let (page, other) = try ends(of: "a.example", named: "b.example")
    let sent = page.writeAndFlush(ByteBuffer(string: "secret"))
    #expect(throws: TLSError.self) { try talk(page, other) }
    #expect(throws: TLSError.self) { try sent.wait() }
  }

  @Test func anUnknownAuthorityIsRefused() throws {
    let (page, other) = try ends(of: "a.example", trusting: TLSCredentials(trustedFile: nil))
    #expect(throws: TLSError.self) { try talk(page, other) }
    // The host's end hears of it.
    #expect(throws: TLSError.self) { try talk(page, other) }
  }

  @Test func bytesThatAreNoHandshakeAreRefused() throws {
    let (_, other) = try ends(of: "a.example")
    #expect(throws: TLSError.self) {
      try other.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
    }
    #expect(!other.isActive)
  }
}
