internal import Core
internal import NIOHTTP1
internal import Testing

@testable internal import NetworkProxy

@Suite struct AddressPolicyTests {
  @Test(arguments: [
    ("127.0.0.1", "loopback"), ("127.255.3.4", "loopback"), ("0.0.0.0", "loopback"), ("0.1.2.3", "loopback"),
    ("::1", "loopback"), ("::", "loopback"), ("10.0.0.1", "private"), ("172.16.0.1", "private"),
    ("172.31.255.255", "private"), ("192.168.1.1", "private"), ("100.64.0.1", "private"),
    ("100.127.255.255", "private"),
    ("fc00::1", "private"), ("fdff::1", "private"), ("fec0::1", "private"), ("64:ff9b:1::1", "private"),
    ("169.254.1.1", "link-local"), ("fe80::1", "link-local"), ("169.254.169.254", "metadata"),
    ("169.254.170.2", "metadata"), ("168.63.129.16", "metadata"), ("100.100.100.200", "metadata"),
    ("fd00:ec2::254", "metadata"), ("224.0.0.1", "multicast"), ("239.255.255.255", "multicast"),
    ("ff02::1", "multicast"), ("192.0.0.8", "reserved"), ("192.0.2.1", "reserved"), ("198.19.0.1", "reserved"),
    ("198.51.100.1", "reserved"), ("203.0.113.9", "reserved"), ("240.0.0.1", "reserved"),
    ("255.255.255.255", "reserved"), ("2001:db8::1", "reserved"), ("2001::1", "reserved"), ("3fff::1", "reserved"),
    ("5f00::1", "reserved"), ("100::1", "reserved"), ("4000::1", "reserved"),
  ]) func whatIsNotThePublicInternetIsRefused(text: String, code: String) throws {
    #expect(AddressPolicy().refusal(of: try #require(IPAddress(text)))?.rawValue == code)
  }

  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1",
    "169.253.255.255",
    "172.15.255.255", "172.32.0.1", "192.167.1.1", "192.169.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
    "2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450::1",
  ]) func thePublicInternetIsAllowed(text: String) throws {
    #expect(AddressPolicy().refusal(of: try #require(IPAddress(text))) == nil)
  }

  @Test(arguments: [
    "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2002:7f00:1:1:2:3:4:5", "::ffff:7f00:1",
  ]) func anAddressInsideAnotherCountsAsItself(text: String) throws {
    #expect(AddressPolicy().refusal(of: try #require(IPAddress(text))) == .loopback)
    #expect(AddressPolicy().refusal(of: try #require(IPAddress("64:ff9b::808:808"))) == nil)
  }

  @Test func aBlockMayBeAllowed() throws {
    let policy = AddressPolicy(allowed: [try #require(AddressBlock("10.1.0.0/16"))])
    #expect(policy.refusal(of: try #require(IPAddress("10.1.2.3"))) == nil)
    #expect(policy.refusal(of: try #require(IPAddress("::ffff:10.1.2.3"))) == nil)
    #expect(policy.refusal(of: try #require(IPAddress("10.2.2.3"))) == .private)
  }

  @Test(arguments: ["127.0.0.1", "::1", "0.0.0.0", "10.0.0.1", "1.1.1.1", "2606:4700:4700::1111", "::ffff:127.0.0.1"])
  func whereNothingMayBeSpokenToThisMachineMayNeither(text: String) throws {
    #expect(AddressPolicy.only([]).refusal(of: try #require(IPAddress(text))) == .offline)
  }

  @Test func onlyTheBlocksThatAreNamedMayBeSpokenTo() throws {
    let policy = AddressPolicy.only([try #require(AddressBlock("127.0.0.0/8"))])
    for text in ["127.0.0.1", "127.9.9.9", "::ffff:127.0.0.1"] {
      #expect(policy.refusal(of: try #require(IPAddress(text))) == nil)
    }
    for text in ["::1", "0.0.0.0", "10.0.0.1", "1.1.1.1"] {
      #expect(policy.refusal(of: try #require(IPAddress(text))) == .offline)
    }
  }

  @Test(arguments: [
    ("10.0.0.0/9", "10.127.9.9", "10.128.0.0"), ("2001:db8::/33", "2001:db8:7fff::", "2001:db8:8000::"),
  ])
  func aBlockEndsAtItsBit(text: String, inside: String, outside: String) throws {
    let block = try #require(AddressBlock(text))
    #expect(block.contains(try #require(IPAddress(inside))))
    #expect(!block.contains(try #require(IPAddress(outside))))
  }

  @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "::/129", "host/8", "10.0.0.0/8/8"])
  func whatIsNoBlockIsNone(text: String) { #expect(AddressBlock(text) == nil) }
}

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
