import MRAID
import Testing
import WebKitRuntime

@testable import Rendering

@Suite("The addresses of a render's pages")
struct PageAddressesTests {
  private let addresses = PageAddresses(host: "ad-7")

  @Test(
    "escape what a file's name may hold",
    arguments: [
      ("index.html", "creative://ad-7/index.html"),
      ("a b/ü.html", "creative://ad-7/a%20b/%C3%BC.html"),
      ("50%.html", "creative://ad-7/50%25.html"),
      ("a?b#c.html", "creative://ad-7/a%3Fb%23c.html"),
    ])
  func files(path: String, url: String) {
    #expect(addresses.url(ofFile: path) == url)
  }

  @Test(
    "tell the creative's own from others",
    arguments: [
      ("creative://ad-7", true), ("creative://ad-7/x", true), ("creative://ad-77/x", false),
      ("creative://ad-7.evil/x", false),
      ("https://ad-7/x", false), ("creative://galley/mraid.js", false), ("", false),
    ])
  func own(url: String, isOwn: Bool) {
    #expect(addresses.isOwn(url) == isOwn)
  }

  @Test("look the same in the log whatever host served them")
  func display() {
    #expect(addresses.display("creative://ad-7/a.png?x=1") == "creative://ad/a.png?x=1")
    #expect(PageAddresses(host: "ad").display("creative://ad/a.png?x=1") == "creative://ad/a.png?x=1")
    #expect(addresses.display("https://x.example/a") == "https://x.example/a")
  }

  @Test("look the same wherever a page says them")
  func displayAll() {
    let said: JSONValue = [
      "file": "creative://ad-7/a.js", "list": ["at creative://ad-7/a.js:3 and creative://ad-7", 7],
    ]
    #expect(
      addresses.displayAll(in: said) == [
        "file": "creative://ad/a.js", "list": ["at creative://ad/a.js:3 and creative://ad", 7],
      ])
    #expect(PageAddresses(host: "ad").displayAll(in: said) == said)
  }

  @Test("are cut in the log when they are data or endless")
  func cut() {
    #expect(addresses.display("data:image/png;base64," + String(repeating: "A", count: 500)).count == 64)
    #expect(addresses.display("https://x.example/" + String(repeating: "a", count: 9_000)).count == 2_048)
  }

  @Test(
    "resolve as the document means them",
    arguments: [
      ("part2.html", "creative://ad/part2.html"), ("../x.html", "creative://ad/x.html"),
      ("/x.html", "creative://ad/x.html"), ("https://x.example/y", "https://x.example/y"),
      ("?a=1", "creative://ad/dir/index.html?a=1"), ("tel:+1", "tel:+1"), ("//x.example/y", "https://x.example/y"),
    ])
  func resolve(address: String, url: String) {
    let base = address == "part2.html" ? "creative://ad/index.html" : "creative://ad/dir/index.html"
    #expect(PageAddresses.resolve(address, against: base) == url)
  }

  @Test("without a scheme are as the document's own on the web")
  func withoutScheme() {
    #expect(PageAddresses.resolve("//x.example/y", against: "http://a.example/") == "http://x.example/y")
    #expect(PageAddresses.resolve("//x.example/y", against: "https://a.example/") == "https://x.example/y")
  }

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
  func meant(url: String, means: String) { #expect(WebSession.meant(url) == means) }

  @Test("are nil for nothing at all")
  func unresolvable() {
    #expect(PageAddresses.resolve("", against: "creative://ad/index.html") == nil)
    #expect(PageAddresses.resolve("x", against: "") == nil)
  }
}
