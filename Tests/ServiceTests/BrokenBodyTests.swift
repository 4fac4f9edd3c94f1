@testable import Service
import Testing

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
}
