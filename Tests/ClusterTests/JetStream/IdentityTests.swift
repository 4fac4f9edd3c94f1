import Core
import Foundation
import NatsTestServer
import Testing

@testable import Cluster

/// Identification of the caller by the server, and of the server by the caller.
@Suite struct IdentityTests {
  @Test func knowsAUserByPassword() async throws {
    let server = try await NatsTestServer.start("authorization { timeout: 20, user: me, password: secret }")
    #expect(await code { _ = try await connection(to: server) } == "nats-refused")
    let nats = try await connection(to: server) { $0.servers = ["nats://me:secret@127.0.0.1:\(server.port)"] }
    #expect(nats.isConnected)
  }

  @Test func knowsAnNKey() async throws {
    // The pair that the documentation of NATS has.
    let key = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
    let file = FileManager.default.temporaryDirectory.appending(path: NatsTestServer.unique("seed")).path()
    try Data("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY".utf8).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let server = try await NatsTestServer.start("authorization { timeout: 20, users: [{ nkey: \(key) }] }")
    #expect(await code { _ = try await connection(to: server) } == "nats-refused")
    let nats = try await connection(to: server) { $0.identity = .nkey(key, seedFile: file) }
    #expect(nats.isConnected)
  }

  @Test func knowsACredentialsFile() async throws {
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    let operators = try String(contentsOf: fixtures.appending(path: "operator.conf"), encoding: .utf8)
    let server = try await NatsTestServer.start(operators)
    #expect(await code { _ = try await connection(to: server) } == "nats-refused")
    let file = fixtures.appending(path: "user.creds").path()
    let nats = try await connection(to: server) { $0.identity = .credentials(file: file) }
    try await nats.makeStream(StreamSettings("S", subjects: ["s"]))
    #expect(try await nats.publish(NatsMessage("s")).sequence == 1)
  }

  @Test func knowsAServerByItsCertificateAndIsKnownByOne() async throws {
    let certificates = try Certificates()
    let server = try await NatsTestServer.start(
      """
      tls { timeout: 20, cert_file: "\(certificates.file("server.pem"))", key_file: "\(certificates.file("server.key"))",
            ca_file: "\(certificates.file("ca.pem"))", verify: true }
      """)
    let own = (chain: certificates.file("client.pem"), key: certificates.file("client.key"))
    func connect(_ tls: NatsSettings.TLS?, _ host: String = "localhost") async throws -> NatsConnection {
      try await connection(to: server) { ($0.servers, $0.tls) = (["tls://\(host):\(server.port)"], tls) }
    }
    let authorities = certificates.file("ca.pem")
    let nats = try await connect(.init(authorities: authorities, certificate: own))
    try await nats.flush()
    // A server that nobody vouches for, or for another name; a client that doesn't say who it is.
    #expect(await code { _ = try await connect(.init(certificate: own)) } == "nats-tls-failed")
    let other = await code { _ = try await connect(.init(authorities: authorities, certificate: own), "127.0.0.2") }
    #expect(["nats-tls-failed", "nats-unreachable"].contains(other))
    #expect(await code { try await connect(.init(authorities: authorities)).flush() } != nil)
    #expect(await code { _ = try await connect(nil) } != nil)
  }

  @Test func saysWhichFileCantBeRead() async throws {
    for change: (inout NatsSettings) -> Void in [
      { $0.identity = .credentials(file: "/no/such.creds") }, { $0.identity = .nkey("U", seedFile: "/no/such.seed") },
      { $0.tls = .init(authorities: "/no/such.pem") },
      { $0.tls = .init(certificate: (chain: "/no/such.pem", key: "/no/such.key")) },
    ] {
      var settings = try NatsSettings("nats://127.0.0.1:1")
      change(&settings)
      let made = settings
      do {
        _ = try await NatsConnection.connect(made)
        Issue.record("a file that isn't there was used")
      } catch {
        #expect(error.code == "nats-argument-invalid")
        #expect(error.origin == .request)
        #expect(error.message.contains("/no/such"))
      }
    }
  }

  @Test func saysThatJetStreamIsOff() async throws {
    let server = try await NatsTestServer.start("accounts { A: { users: [{ user: a, password: b }] } }")
    let nats = try await connection(to: server) { $0.servers = ["nats://a:b@127.0.0.1:\(server.port)"] }
    let last = await code { try await nats.makeStream(StreamSettings("S", subjects: ["s"])) }
    #expect(["nats-jetstream-missing", "nats-unavailable"].contains(last))
  }

  /// Opens a connection with the time that a busy machine takes.
  private func connection(
    to server: NatsTestServer, _ change: (inout NatsSettings) -> Void = { _ in }
  ) async throws -> NatsConnection {
    try await ClusterTests.connection(to: server) {
      $0.timeout = .seconds(20)
      change(&$0)
    }
  }
}

/// Authority with certificates for a server called localhost and for a client; its files are deleted with it.
private final class Certificates {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: NatsTestServer.unique("certificates")).path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    try openssl(
      ["req", "-x509"] + key + ["-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=authority"])
    for name in ["server", "client"] {
      try openssl(
        ["req"] + key + [
          "-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)", "-addext",
          "subjectAltName=DNS:localhost",
        ])
      try openssl([
        "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
        "\(name).pem", "-days", "2", "-copy_extensions", "copy",
      ])
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func file(_ name: String) -> String { "\(folder)/\(name)" }

  private func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments[0]) failed")
  }
}
