import Testing

@testable import Service
@testable import Telemetry

/// Requests whose head is well and whose body isn't, over real sockets.
@Suite(.timeLimit(.minutes(4))) struct BrokenBodyTests {
  @Test(arguments: [
    "Content-Length: 9\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
    "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n",
  ])
  func isTheClientsFault(rest: String) async throws {
    try await LiveService.during { service in
      for type in ["application/json", "multipart/form-data; boundary=x"] {
        let wire = try Wire(service.port)
        wire.say("POST /v1/renders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\n" + rest)
        wire.hangUp()
        let heard = await wire.hear()
        #expect(heard.hasPrefix("HTTP/1.1 400 Bad Request"), "\(type)")
        #expect(heard.contains("request-malformed"), "\(type)")
      }
    }
  }

  @Test func thatStopsComingIsToldSo() async throws {
    try await LiveService.during(nil, { $0.bounds.connections.body = 0.2 }) { service in
      for (path, type) in [
        ("/v1/renders", "multipart/form-data; boundary=x"), ("/v1/renders", "application/json"),
        ("/v1/diffs", "application/json"), ("/v1/baselines/verify", "application/json"),
      ] {
        let wire = try Wire(service.port)
        wire.say("POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\nContent-Length: 900\r\n\r\n{")
        let heard = await wire.hear()
        #expect(heard.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"), "\(path) \(heard)")
        #expect(heard.contains("\"code\" : \"body-too-slow\"") || heard.contains("\"code\": \"body-too-slow\""))
      }
      #expect(service.service.gauges.registry.text.contains("galley_connections_cut_total{reason=\"slow-body\"} 4\n"))
    }
  }

  @Test func ofAHeadThatIsNoneIsToldInWords() async throws {
    try await LiveService.during { service in
      for line in ["GET /runs/b\u{fc}cher HTTP/1.1", "GET /\u{0}", "nonsense", "GET / HTTP/9.9"] {
        let wire = try Wire(service.port)
        wire.say("\(line)\r\nHost: 127.0.0.1\r\n\r\n")
        let heard = await wire.hear()
        #expect(heard.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(line): \(heard)")
        #expect(heard.contains("request-malformed"), "\(line)")
      }
    }
  }
}
