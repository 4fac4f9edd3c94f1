import Core
import RenderModel
import Testing

@testable import Hosting

@Suite("What may be loaded on a creative's behalf")
struct AddressRuleTests {
  private let base = "creative://ad-7/index.html"

  private func rule(_ reach: NetworkPolicy = .any) -> AddressRule {
    AddressRule(addresses: PageAddresses(host: "ad-7"), reach: reach)
  }

  private func outcome(_ text: String, _ rule: AddressRule) -> String {
    do throws(AddressRefusal) { return try rule.judge(text, against: base).url } catch { return error.code.rawValue }
  }

  @Test(
    "is the web, the creative's own files, and what carries its content itself",
    arguments: [
      ("part.html", "creative://ad-7/part.html"), ("/part.html", "creative://ad-7/part.html"),
      ("creative://ad-7/x?y#z", "creative://ad-7/x?y#z"), ("CREATIVE://ad-7/x", "creative://ad-7/x"),
      ("https://x.example/a", "https://x.example/a"), ("HTTP://x.example/a", "http://x.example/a"),
      (" \thttps://x.exa\nmple/a\u{1}", "https://x.example/a"),
      ("//x.example/a.html", "https://x.example/a.html"), ("creative://x.example/a", "https://x.example/a"),
      ("data:text/html,hi", "data:text/html,hi"), ("about:blank", "about:blank"),
      ("blob:creative://ad-7/0-1", "blob:creative://ad-7/0-1"),
    ])
  func allowed(text: String, url: String) { #expect(outcome(text, rule()) == url) }

  @Test(
    "is nothing that the engine, the machine or another creative answers",
    arguments: [
      ("file:///etc/hostname", "scheme"), ("FILE:///etc/hostname", "scheme"), ("file:/etc/hostname", "scheme"),
      ("file://localhost/etc/hostname", "scheme"), ("fi\tle:///etc/hostname", "scheme"),
      ("\u{0}\u{1f} file:///etc/hostname", "scheme"), ("file:etc", "scheme"),
      ("webkit://gpu", "scheme"), ("resource:///org/gtk/libgtk/theme/Adwaita/gtk.css", "scheme"),
      ("inspector-resource:///x", "scheme"), ("view-source:file:///etc/hostname", "scheme"),
      ("about:memory", "scheme"), ("about:srcdoc", "scheme"), ("javascript:alert(1)", "scheme"),
      ("ftp://x.example/a", "scheme"), ("filesystem:file:///x", "scheme"), ("jar:file:///x!/y", "scheme"),
      ("ws://x.example", "scheme"), ("tel:+1", "scheme"), ("intent://x#Intent;end", "scheme"), ("x-y+z.1:a", "scheme"),
      ("creative://galley/browser.html", "host"), ("creative://ad-77/x", "host"),
      ("creative://ad-7", "creative://ad-7"),
      ("", "invalid"),
    ])
  func refused(text: String, code: String) { #expect(outcome(text, rule()) == code) }

  @Test("is nothing of the web without the network, unless addresses of it are allowed")
  func offline() throws {
    let web = ["http://127.0.0.1/", "https://x.example/", "//x.example/"]
    #expect(web.map { outcome($0, rule(.none)) } == Array(repeating: "offline", count: 3))
    #expect(outcome("part.html", rule(.none)) == "creative://ad-7/part.html")
    #expect(outcome("data:,x", rule(.none)) == "data:,x")
    #expect(outcome(web[0], rule(NetworkPolicy(.none, allowed: ["127.0.0.1"]))) == web[0])
    #expect(outcome(web[0], rule(.publicInternet)) == web[0])
  }

  @Test("is judged alike as a whole address")
  func whole() throws {
    #expect(try rule().judge("https://x.example/a").url == "https://x.example/a")
    for text in ["part.html", "", "/etc/hostname", ":"] {
      #expect(throws: AddressRefusal(url: text, code: .invalid)) { try rule().judge(text) }
    }
  }

  @Test(
    "frames go anywhere but to what the engine answers from the machine",
    arguments: [
      ("https://x.example", true), ("creative://ad/x", true), ("about:srcdoc", true), ("data:,x", true),
      ("blob:null/1", true), ("market://x", true), ("file:///etc/hostname", false), ("webkit://gpu", false),
      ("resource:///org", false), (" WebKit:gpu", false), ("", true),
    ])
  func shown(url: String, may: Bool) { #expect(AddressRule.mayBeShown(url) == may) }
}

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
      ("https://x.example/?u=a%20b%2Fc&m=[V]", "https://x.example/?u=a%20b%2Fc&m=%5BV%5D"),
      ("https://x.example/?u=%20|{d}", "https://x.example/?u=%20%7C%7Bd%7D"),
      ("two.html?q=a%20b&x=[1]", "creative://ad/dir/two.html?q=a%20b&x=%5B1%5D"),
      ("https://[::1]:8080/[x]", "https://[::1]:8080/%5Bx%5D"), ("a b%zz%2", "creative://ad/dir/a%20b%25zz%252"),
      ("größe.png", "creative://ad/dir/gr%C3%B6%C3%9Fe.png"),
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

  @Test("are nil for nothing at all")
  func unresolvable() {
    #expect(PageAddresses.resolve("", against: "creative://ad/index.html") == nil)
    #expect(PageAddresses.resolve("x", against: "") == nil)
  }
}
