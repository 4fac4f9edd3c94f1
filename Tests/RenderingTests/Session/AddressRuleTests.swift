import Jobs
import Testing

@testable import Rendering

@Suite("What may be loaded on a creative's behalf")
struct AddressRuleTests {
  private let base = "creative://ad-7/index.html"

  private func rule(_ reach: NetworkReach = .any) -> AddressRule {
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
    #expect(outcome(web[0], rule(NetworkReach(.none, allowed: ["127.0.0.1"]))) == web[0])
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
