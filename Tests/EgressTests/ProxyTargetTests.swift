internal import NIOHTTP1
internal import Testing

@testable internal import Egress

@Suite struct ProxyTargetTests {
  private func target(_ method: HTTPMethod, _ uri: String, _ headers: HTTPHeaders = [:]) -> ProxyTarget? {
    ProxyTarget(HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers))
  }

  @Test(arguments: [
    ("example.com:443", "example.com", 443), ("[2001:db8::1]:8443", "2001:db8::1", 8443), ("0x7f.1:80", "0x7f.1", 80),
  ]) func aTunnelNamesHostAndPort(uri: String, host: String, port: Int) {
    let target = target(.CONNECT, uri)
    #expect(target?.kind == .tunnel)
    #expect(target?.host == host)
    #expect(target?.port == port)
  }

  @Test(arguments: [
    ("http://example.com/a?b#c", "example.com", 80, "/a?b"), ("http://example.com", "example.com", 80, "/"),
    ("http://example.com:8080?x", "example.com", 8080, "/?x"), ("HTTP://[::1]/", "::1", 80, "/"),
    ("http://name:word@example.com/", "example.com", 80, "/"), ("http://a@b@example.com/", "example.com", 80, "/"),
  ]) func anAddressGivesHostPortAndPath(uri: String, host: String, port: Int, path: String) {
    let target = target(.GET, uri)
    #expect(target?.kind == .exchange)
    #expect(target?.host == host)
    #expect(target?.port == port)
    #expect(target?.path == path)
  }

  @Test(arguments: [
    "example.com", "example.com:0", "example.com:65536", "example.com:http", ":443", "[::1:443", "a b:443", "[::1]443",
  ]) func whatNamesNoHostAndPortIsNoTunnel(uri: String) { #expect(target(.CONNECT, uri) == nil) }

  @Test(arguments: ["/", "https://example.com/", "file:///etc/passwd", "http://", "http:///x", "*"])
  func whatIsNoHTTPAddressIsNoRequest(uri: String) { #expect(target(.GET, uri) == nil) }

  @Test func whatIsMeantForTheProxyStaysHere() throws {
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "http://example.com/a",
      headers: [
        "Host": "example.com", "Proxy-Authorization": "x", "Connection": "keep-alive, X-Mine", "X-Mine": "1", "TE": "a",
        "Accept": "b",
      ])
    let request = try #require(ProxyTarget(head)).request(from: head)
    #expect(request.uri == "/a")
    #expect(request.headers.map(\.name).sorted() == ["Accept", "Connection", "Host"])
    #expect(request.headers["Connection"] == ["close"])
  }
}
