import Core
import HTTPTypes
import Testing

@testable import Service
@testable import Telemetry

@Suite struct FrontTests {
  private func headers(_ fields: [String: String]) -> HTTPFields {
    fields.reduce(into: HTTPFields()) { headers, field in
      if let name = HTTPField.Name(field.key) { headers[name] = field.value }
    }
  }

  @Test(
    arguments: [
      [:], ["Origin": "http://a.example:8080"], ["Origin": "https://a.example:8080"],
      ["Origin": "null", "Sec-Fetch-Site": "same-origin"],
      ["Origin": "http://a.example:8080", "Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
      ["Origin": "https://galley.example", "Sec-Fetch-Site": "same-origin"], ["Origin": "https://galley.example"],
    ] as [[String: String]])
  func takesWhatItsOwnPagesAndProgramsSend(fields: [String: String]) {
    let front = Front(address: PublicAddress("https://Galley.example:443/"))
    #expect(front.isOwn(headers(fields), host: "a.example:8080"))
  }

  @Test(
    arguments: [
      // A browser that sends no Sec-Fetch-Site, as to plain http: a foreign page, and a sandboxed frame's.
      ["Origin": "https://evil.example"], ["Origin": "http://a.example"], ["Origin": "null"],
      ["Origin": "null", "Sec-Fetch-Site": "cross-site"], ["Origin": "null", "Sec-Fetch-Site": "same-site"],
      ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "cross-site"],
      ["Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"], ["Origin": ""],
      ["Origin": "https://other.a.example:8080", "Sec-Fetch-Site": "same-site"],
    ] as [[String: String]])
  func refusesWhatForeignPagesSend(fields: [String: String]) {
    #expect(!Front().isOwn(headers(fields), host: "a.example:8080"))
  }

  @Test func believesTheProxyAloneThatAPersonCameByTLS() throws {
    let proxy = try #require(AddressBlock("10.0.0.0/8"))
    let front = Front(proxies: [proxy])
    let said = headers(["X-Forwarded-Proto": "https, http"])
    #expect(front.isSecure(said, from: IPAddress("10.1.2.3")))
    #expect(!front.isSecure(said, from: IPAddress("192.0.2.1")))
    #expect(!front.isSecure(said, from: nil))
    #expect(!front.isSecure(headers(["X-Forwarded-Proto": "http"]), from: IPAddress("10.1.2.3")))
    #expect(!front.isSecure(headers([:]), from: IPAddress("10.1.2.3")))
  }

  @Test func knowsByItsAddressThatPeopleComeByTLS() {
    #expect(Front(address: PublicAddress("https://galley.example")).isSecure(headers([:]), from: nil))
    #expect(!Front(address: PublicAddress("http://galley.example")).isSecure(headers([:]), from: nil))
  }

  @Test(arguments: [
    ("https://galley.example", "https://galley.example"), ("HTTPS://Galley.Example:443/", "https://galley.example"),
    ("http://[2001:db8::1]:8080", "http://[2001:db8::1]:8080"), ("http://galley.example:80", "http://galley.example"),
    ("https://galley.example/path", nil), ("ftp://galley.example", nil), ("galley.example", nil), ("", nil),
    ("https://me:word@galley.example", nil), ("https://galley.example?x", nil),
  ])
  func readsAnAddress(text: String, expected: String?) {
    #expect(PublicAddress(text)?.text == expected)
  }
}

@Suite struct OutsideAddressTests {
  @Test(arguments: [
    "127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "198.18.0.1",
    "::1", "::", "fe80::1", "fc00::1", "fd12::1", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1",
    "64:ff9b::10.0.0.1", "2002:7f00:1::", "2001::1", "2001:db8::1", "ff02::1",
  ])
  func refusesPrivateAddressesInAnySpelling(text: String) {
    let found = OutsideAddress.lookUp(text, numericOnly: true)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { !OutsideAddress.isPublic($0.bytes) })
  }

  @Test(arguments: ["1.1.1.1", "172.32.0.1", "192.0.1.1", "223.255.255.255", "2606:4700::1111", "2002:808:808::"])
  func allowsPublicAddresses(text: String) {
    let found = OutsideAddress.lookUp(text, numericOnly: true)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { OutsideAddress.isPublic($0.bytes) })
  }

  @Test(arguments: [
    "http://localhost/", "http://localhost./", "http://a.LOCALHOST:8080/", "http://127.1/", "https://[::1]/",
    "http://[::ffff:10.0.0.1]/x",
  ])
  func refusesAddressesThatLeadHere(text: String) throws {
    #expect(throws: Fault.self) { try OutsideAddress(text, allowsPrivate: false) }
    #expect(throws: Never.self) { try OutsideAddress(text, allowsPrivate: true) }
  }

  @Test(arguments: ["", "x", "ftp://a.example/", "file:///etc/passwd", "http://", "http://user:word@a.example/"])
  func refusesWhatIsNoWebAddress(text: String) {
    #expect(throws: Fault.self) { try OutsideAddress(text, allowsPrivate: true) }
  }

  @Test func writesAnAddressAsItReadIt() throws {
    let address = try OutsideAddress("http://a.example/x y?{\"\n", allowsPrivate: true)
    #expect(address.text == "http://a.example/x%20y?%7B%22%0A")
  }
}
