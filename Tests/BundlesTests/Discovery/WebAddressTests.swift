import Jobs
import Testing

@testable import Bundles

struct WebAddressTests {
  @Test(arguments: [
    ("https://cdn.example.com/ads/banner.html?x=1#y", "cdn.example.com-ads-banner"),
    ("HTTP://Example.com:8080/", "example.com-8080"), ("https://user:secret@example.com/a", "example.com-a"),
    ("https://example.com/../../etc/passwd", "example.com-..-..-etc-passwd"), ("http://[::1]/x", "-1-x"),
    ("https://example.com?next=/a/b", "example.com"), ("https://example.com/%2e%2e/ä", "example.com-2e-2e"),
  ])
  func slugHoldsHostAndPathOnly(text: String, slug: String) throws {
    #expect(try #require(try WebAddress(text)).slug == slug)
  }

  @Test(arguments: ["banner.html", "./http:/x", "1http://x", "a b://x", "data:text/html,x", "://x"])
  func whatHasNoSchemeIsAPath(text: String) throws {
    #expect(try WebAddress(text) == nil)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://a/b", "javascript://x"])
  func otherSchemesAreTheCallersFault(text: String) {
    let fault = #expect(throws: Fault.self) { try WebAddress(text) }
    #expect(fault?.code == "url-scheme")
    #expect(fault?.blame == .request)
  }

  @Test(arguments: ["http://", "https:///x", "http://:80/", "http://a b/", "http://a/\n", "http://user@/x"])
  func incompleteAddressesAreTheCallersFault(text: String) {
    let fault = #expect(throws: Fault.self) { try WebAddress(text) }
    #expect(fault?.code == "url-invalid")
  }
}
