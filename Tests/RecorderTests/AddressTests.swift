import NIOCore
import NIOHTTP1
import NIOWebSocket
import Recordings
import Testing

@testable import galley_recorder

@Suite struct AddressTests {
  @Test(
    arguments: [
      ("host:443", "host", 443), ("[::1]:8443", "::1", 8_443), ("u:p@host:1", "host", 1),
    ])
  func authoritiesAreHostAndPort(_ text: String, _ host: String, _ port: Int) {
    let authority = Authority(text)
    #expect(authority?.host == host && authority?.port == port)
  }

  @Test(arguments: ["host", "host:0", "host:99999", ":1", "ho st:1", "[::1:1", ""])
  func whatIsNoAuthorityIsNone(_ text: String) { #expect(Authority(text) == nil) }

  @Test func targetsAreWholeAddresses() throws {
    let tunnel = try #require(Authority("a.example:443"))
    let get = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/x?y#z")
    #expect(Target(get, .tunnel(tunnel, isSecure: true))?.url == "https://a.example/x?y")
    var socket = get
    socket.headers.add(name: "Upgrade", value: "websocket")
    #expect(
      Target(socket, .tunnel(try #require(Authority("a.example:8443")), isSecure: true))?.url
        == "wss://a.example:8443/x?y")
    let plain = HTTPRequestHead(version: .http1_1, method: .GET, uri: "http://[::1]:81?q#f")
    #expect(Target(plain, .proxy)?.url == "http://[::1]:81/?q" && Target(plain, .proxy)?.authority.host == "::1")
    #expect(Target(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/x"), .proxy) == nil)
    #expect(Target(HTTPRequestHead(version: .http1_1, method: .GET, uri: "ftp://a/x"), .proxy) == nil)
  }

  @Test func messagesArePutTogether() {
    var assembler = MessageAssembler()
    let frame = { (fin: Bool, opcode: WebSocketOpcode, text: String) in
      WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(string: text))
    }
    #expect(assembler.take(frame(false, .text, "he")) == nil)
    #expect(assembler.take(frame(true, .ping, "")) == nil)
    let message = assembler.take(frame(true, .continuation, "llo"))
    #expect(message?.opcode == .text && message?.data == Array("hello".utf8))
  }
}
