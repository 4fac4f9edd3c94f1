import Core
import Foundation
import Subprocess
import SystemPackage
import TestFolders
import Testing

@testable import Service
@testable import Telemetry

@Suite(.timeLimit(.minutes(1))) struct CurlTests {
  private func post(_ address: String, _ route: WebhookRoute, body: String = "{}") -> WebhookPost {
    WebhookPost(
      address: address, route: route, headers: [(name: "content-type", value: "application/json")], body: body)
  }

  /// Returns the request that a listener received and curl's report, for one webhook sent to an unresolvable name.
  private func exchange(
    _ answer: String, path: String, body: String = "{}", by route: (Listener) throws -> WebhookRoute
  ) async throws -> (request: String?, report: CurlReport) {
    let listener = try Listener(answer)
    let report = try await Curl().send(
      post("http://hook.example:\(listener.port)\(path)", try route(listener), body: body))
    return (await listener.received(), report)
  }

  @Test(arguments: ["@/etc/passwd", "{\"a\":\"\\\"\\\\\"}\n\r\t é\n", ""])
  func sendsABodyAsItIsToTheAddressItIsGiven(body: String) async throws {
    let path = "/a{b,c}/../[1-2]?x={y}"
    let (request, report) = try await exchange("HTTP/1.1 204 No Content\r\n\r\n", path: path, body: body) { _ in
      .pinned("127.0.0.1")
    }
    #expect(report.problem == nil)
    let text = try #require(request)
    #expect(text.hasPrefix("POST \(path) HTTP/1.1\r\nHost: hook.example:"))
    #expect(text.contains("\r\ncontent-type: application/json\r\n"))
    #expect(text.hasSuffix("\r\n\r\n\(body)"))
  }

  @Test func followsNowhere() async throws {
    let answer = "HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    let (_, report) = try await exchange(answer, path: "/") { _ in .pinned("127.0.0.1") }
    #expect(report.problem == "it responded with 307")
  }

  @Test func goesByTheProxy() async throws {
    let (request, report) = try await exchange("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", path: "/x") {
      .proxy(try #require(ProxyAddress("http://127.0.0.1:\($0.port)")))
    }
    #expect(report.problem == nil)
    #expect(request?.hasPrefix("POST http://hook.example:") == true)
  }

  @Test func tellsWhatTheProxySaysToATunnel() async throws {
    let proxy = try Listener("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    let route = WebhookRoute.proxy(try #require(ProxyAddress("http://127.0.0.1:\(proxy.port)")))
    #expect(try await Curl().send(post("https://hook.example/", route)).problem == "the proxy responded with 403")
  }

  @Test func tellsThatNobodyListens() async throws {
    let report = try await Curl().send(post("http://hook.example:1/", .pinned("127.0.0.1")))
    #expect(report.problem?.hasPrefix("the connection was refused or failed: ") == true)
  }

  @Test func speaksNothingButHTTP() async throws {
    let report = try await Curl().send(post("file:///etc/hostname", .open))
    #expect(report.problem?.hasPrefix("it doesn't speak HTTP") == true)
  }

  @Test func sendsOverTLSOnlyToWhomTheMachineTrusts() async throws {
    let scratch = try TestFolder()
    let (refused, taken) = try await UnsignedServer.during(in: scratch) { server in
      let post = post("https://hook.example:\(server.port)/", .pinned("127.0.0.1"))
      let refused = try await Curl().send(post)
      let trusting = try scratch.write("curl", "#!/bin/sh\nCURL_CA_BUNDLE='\(server.certificate)' exec curl \"$@\"\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: trusting)
      try await server.say("HTTP/1.1 204 No Content\r\n\r\n")
      return (refused, try await Curl(.path(FilePath(trusting))).send(post))
    }
    #expect(refused.problem?.hasPrefix("its certificate isn't trusted: ") == true)
    #expect(taken.problem == nil)
  }

  @Test func endsWithItsTask() async throws {
    let listener = try Listener(nil)
    let post = post("http://hook.example:\(listener.port)/", .pinned("127.0.0.1"))
    let sending = Task { try await Curl().send(post) }
    _ = await listener.requests.first { _ in true }
    let begun = ContinuousClock.now
    sending.cancel()
    await #expect(throws: Fault.self) { try await sending.value }
    for await _ in listener.ends { break }
    #expect(begun.duration(to: .now) < .seconds(5))
  }

  @Test func saysWhichProgramIsMissing() async throws {
    let curl = Curl(.name("no-such-curl"))
    await #expect { try await curl.check() } throws: { ($0 as? Fault)?.code == "curl-missing" }
    let post = post("http://hook.example/", .open)
    await #expect { try await curl.send(post) } throws: { ($0 as? Fault)?.message.contains("package") == true }
    try await Curl().check()
  }
}

@Suite struct CurlReportTests {
  @Test(arguments: [
    (0, "200 000 "), (0, "204 200 "),
    // The answer was taken, only its end never came.
    (28, "202 000 Operation timed out"), (18, "200 000 transfer closed"),
  ])
  func believesAStatus(exit: Int32, output: String) {
    #expect(CurlReport(exit: exit, output: output).problem == nil)
  }

  @Test(arguments: [
    (0, "302 000 ", "it responded with 302"), (0, "500 000 ", "it responded with 500"),
    (28, "503 000 x", "it responded with 503"),
    (56, "000 403 CONNECT tunnel failed, response 403", "the proxy responded with 403"),
    (28, "100 000 Operation timed out after 15000 ms", "it didn't respond in time: Operation timed out after 15000 ms"),
    (
      60, "000 000 SSL certificate problem: self-signed certificate",
      "its certificate isn't trusted: SSL certificate problem: self-signed certificate"
    ),
    (52, "000 000 ", "it closed the connection without a response"), (47, "000 000 ", "curl failed with 47"),
    (2, "", "curl failed with 2"),
  ])
  func tellsWhatWentWrong(exit: Int32, output: String, problem: String) {
    #expect(CurlReport(exit: exit, output: output).problem == problem)
  }
}

/// `openssl s_server` for hook.example with a self-signed certificate.
struct UnsignedServer {
  struct StartError: Error {}

  let port: Int
  /// Path of the certificate's file, for clients that are to trust it.
  let certificate: String
  private let writer: StandardInputWriter

  /// Runs a server during `work`.
  static func during<Result: Sendable>(
    in scratch: TestFolder, _ work: @escaping @Sendable (UnsignedServer) async throws -> Result
  ) async throws -> Result {
    let (certificate, key) = ("\(scratch.path)/certificate", "\(scratch.path)/key")
    let names = ["-subj", "/CN=hook.example", "-addext", "subjectAltName=DNS:hook.example"]
    let making = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
      certificate,
    ]
    _ = try await Subprocess.run(
      .name("openssl"), arguments: Arguments(making + names), output: .discarded, error: .discarded)
    let serving = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key]
    return try await Subprocess.run(
      .name("openssl"), arguments: Arguments(serving), input: .inputWriter, output: .sequence, error: .discarded
    ) { execution in
      var said = ""
      for try await buffer in execution.standardOutput {
        said += buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard let port = said.firstMatch(of: /ACCEPT .*:(\d+)\n/).flatMap({ Int($0.1) }) else { continue }
        defer { try? execution.send(signal: .kill) }
        return try await work(
          UnsignedServer(port: port, certificate: certificate, writer: execution.standardInputWriter))
      }
      throw StartError()
    }.closureResult
  }

  /// Sends an answer to the connected client, or the next one.
  func say(_ answer: String) async throws { _ = try await writer.write(Array(answer.utf8)) }
}
