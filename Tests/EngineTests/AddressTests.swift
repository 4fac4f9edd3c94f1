import Engine
import Testing

@Suite("Addresses of the engine")
struct AddressTests {
  @Test(
    "tell the web's hosts from the scheme's own, which are single words",
    arguments: [
      ("creative://cdn.example/a?b#c", "https://cdn.example/a?b#c"), ("creative://127.0.0.1", "https://127.0.0.1"),
      ("creative://host:8080/x", "https://host:8080/x"), ("creative://[::1]/x", "https://[::1]/x"),
      ("creative://LocalHost/x", "https://LocalHost/x"), ("creative://user@host/x", "https://user@host/x"),
      ("creative://ad/a.b", "creative://ad/a.b"), ("creative://ad-7/x", "creative://ad-7/x"),
      ("creative://galley/mraid.js", "creative://galley/mraid.js"), ("creative://", "creative://"),
      ("https://x.example/", "https://x.example/"), ("blob:creative://a.b/1", "blob:creative://a.b/1"),
    ])
  func meant(url: String, means: String) { #expect(CreativeScheme.meant(url) == means) }

  @Test("keep their beginning when they are too long")
  func longAddress() {
    let long = "https://x.example/?" + String(repeating: "y", count: 1_000_000)
    let taken = long.withCString { ResourceLoad.url($0) }
    #expect(taken.utf8.count < 8_200)
    #expect(taken.hasPrefix("https://x.example/?yyy"))
    #expect(taken.hasSuffix("y…"))
    #expect("https://x.example/".withCString { ResourceLoad.url($0) } == "https://x.example/")
    #expect(ResourceLoad.url(nil).isEmpty)
  }
}
