import Core
import RenderModel
import TestFolders
import Testing

@testable import Creatives

struct MarkupBundleTests {
  let folder: TestFolder
  /// SHA-256 of the document below, by sha256sum.
  static let documentHash = "f1ecbcfe05f608250f4d3a7ab09956c8ad6163a3f26fefcf30106a3ed4c764af"
  static let opening =
    #"<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, "#
    + #"initial-scale=1"><style>html,body{margin:0;padding:0}</style></head><body>"#

  init() throws { folder = try TestFolder() }

  @Test func documentIsServedAsWrittenWithItsSiblings() throws {
    let text = "<!doctype html><meta name=ad.size content='width=300,height=250'><img src=logo.png>"
    try folder.write("ad.html", text)
    try folder.write("img/logo.png", "L")
    let bundle = try folder.open("ad.html")
    #expect(bundle.kind == .html)
    #expect(bundle.entry == BundleResource(path: "ad.html", bytes: Array(text.utf8)))
    #expect(bundle.meta.size == Size(width: 300, height: 250))
    #expect(bundle.sha256 == Self.documentHash)
    #expect(try bundle.resource(path: "/img/logo.png")?.bytes == Array("L".utf8))
    #expect(try bundle.resource(path: "/ad.html") == bundle.entry)
    #expect(try bundle.resource(path: "/index.html") == nil)
  }

  @Test func fragmentIsWrappedInAMinimalDocument() throws {
    try folder.write("tag.txt", "<script src=mraid.js></script><b>hi</b>")
    try folder.write("secret.txt", "s")
    let bundle = try folder.open("tag.txt")
    #expect(bundle.kind == .fragment)
    #expect(bundle.entry?.path == "index.html")
    #expect(bundle.entry?.contentType == "text/html; charset=utf-8")
    #expect(
      bundle.entry?.bytes
        == Array("\(Self.opening)<script src=mraid.js></script><b>hi</b></body></html>".utf8))
    #expect(try bundle.resource(path: "secret.txt") == nil)
    #expect(try bundle.resource(path: "tag.txt") == nil)
  }

  @Test func fragmentInAnHTMLFileKeepsItsNameAndSiblings() throws {
    try folder.write("tag.html", "<b>hi</b>")
    try folder.write("a.js", "a")
    let bundle = try folder.open("tag.html")
    #expect(bundle.kind == .fragment)
    #expect(bundle.entry?.path == "tag.html")
    #expect(try bundle.resource(path: "tag.html") == bundle.entry)
    #expect(try bundle.resource(path: "a.js")?.bytes == Array("a".utf8))
  }

  @Test func pureScriptIsWrappedInAScriptElement() throws {
    try folder.write("tag.js", "for(;i<scripts.length;);document.write('<script></script>')")
    #expect(
      try folder.open("tag.js").entry?.bytes
        == Array(
          (Self.opening
            + #"<script>for(;i<scripts.length;);document.write('<script><\/script>')</script></body></html>"#)
            .utf8))
    try folder.write("odd.js", "a='<!-- <script >'")
    #expect(
      try folder.open("odd.js").entry?.bytes
        == Array((Self.opening + #"<script>a='<!-- \x3Cscript >'</script></body></html>"#).utf8))
  }

  @Test func scriptFileHoldingMarkupIsMarkup() throws {
    try folder.write("tag.js", "\u{FEFF}\n <b>hi</b>")
    #expect(try folder.open("tag.js").entry?.bytes == Array("\(Self.opening)\n <b>hi</b></body></html>".utf8))
    try folder.write("page.js", "<html><b>hi</b>")
    #expect(try folder.open("page.js").kind == .html)
  }

  @Test func standardInputServesNothingBesideItself() throws {
    let path = try folder.write("spooled.html", "<html>")
    try folder.write("other.txt", "s")
    let bundle = try CreativeBundle.open(CreativeReference(argument: "-", path: path, name: "stdin"))
    #expect(bundle.kind == .html)
    #expect(bundle.entry?.path == "index.html")
    #expect(try bundle.resource(path: "other.txt") == nil)
  }

  @Test func archiveIsKnownByItsBytes() throws {
    try ZipBuilder.write(folder.path + "/spooled", [("index.html", "<html>")])
    #expect(try folder.open("spooled").kind == .zip)
  }

  @Test func utf16IsLeftToTheEngine() throws {
    let text = "<html><title>Ü</title>"
    let little = TestFolder.littleEndian(text)
    try folder.write("little.html", little)
    let bundle = try folder.open("little.html")
    #expect(bundle.kind == .html)
    #expect(bundle.entry?.bytes == little)
    #expect(bundle.entry?.contentType == "text/html; charset=utf-16le")
    #expect(bundle.meta.title == "Ü")
    try folder.write("big.htm", stride(from: 0, to: little.count, by: 2).flatMap { [little[$0 + 1], little[$0]] })
    #expect(try folder.open("big.htm").entry?.charset == "utf-16be")
  }

  @Test func utf16FragmentIsConverted() throws {
    try folder.write("tag.txt", TestFolder.littleEndian("<b>Ü"))
    let entry = try folder.open("tag.txt").entry
    #expect(entry?.bytes == Array("\(Self.opening)<b>Ü</body></html>".utf8))
    #expect(entry?.charset == "utf-8")
  }

  @Test func whatSaysNothingAndIsNotUTF8IsReadAsBrowsersDo() throws {
    try folder.write("bad.html", Array("<html>caf".utf8) + [0xE9, 0x21])
    let bundle = try folder.open("bad.html")
    #expect(bundle.entry?.contentType == "text/html; charset=windows-1252")
    #expect(
      bundle.warnings == [
        "bad.html isn't UTF-8 at byte 9 and declares no charset, so it was read as windows-1252: "
          + "save it as UTF-8, or declare its charset, as in <meta charset=\"windows-1252\">"
      ])
    try folder.write("tag.txt", Array("<b>caf".utf8) + [0xE9, 0x21])
    #expect(try folder.open("tag.txt").entry?.charset == "windows-1252")
    #expect(try folder.open("tag.txt").warnings.count == 1)
    try folder.write("ad.xml", Array("<VAST version=\"4.0\">".utf8) + [0xE9] + Array("</VAST>".utf8))
    #expect(folder.fault("ad.xml")?.code == "text-not-utf8")
    let declared = Array("<html><meta charset=ISO-8859-1>caf".utf8) + [0xE9, 0x21]
    try folder.write("good.html", declared)
    #expect(try folder.open("good.html").entry?.contentType == "text/html; charset=iso-8859-1")
    #expect(try folder.open("good.html").warnings.isEmpty)
    try folder.write("fragment.txt", Array("<meta charset=ISO-8859-1>caf".utf8) + [0xE9, 0x21])
    #expect(try folder.open("fragment.txt").entry?.charset == "iso-8859-1")
  }

  @Test func documentAboveTheLimitIsAFault() throws {
    _ = try folder.writeSparse("big.html", size: 20_000_001)
    #expect(
      folder.fault("big.html") == .creative("html-too-large", "\(folder.path)/big.html has 20.1 MB, the limit is 20 MB")
    )
    var limits = BundleLimits.standard
    limits.largestHTML = 6
    try folder.write("six.html", "<html>")
    #expect(folder.fault("six.html", limits: limits) == nil)
    try folder.write("seven.html", "<html>\n")
    #expect(folder.fault("seven.html", limits: limits)?.code == "html-too-large")
  }

  @Test func faultsNameWhoIsToBlame() throws {
    try folder.write("empty.html", "")
    #expect(folder.fault("empty.html")?.code == "creative-empty")
    try folder.write("a.png", [0x89, 0x50, 0])
    #expect(folder.fault("a.png")?.code == "creative-unrecognized")
    #expect(folder.fault("gone.html")?.code == "file-missing")
    #expect(
      #expect(throws: Fault.self) { try CreativeBundle.open(.init(argument: "x", path: "/dev/null", name: "x")) }?.code
        == "file-not-regular")
  }
}

struct URLBundleTests {
  @Test func addressIsOnlyChecked() throws {
    let bundle = try CreativeBundle.open(.init(argument: "https://nowhere.invalid/x", path: nil, name: "x"))
    #expect(bundle.kind == .url)
    #expect(bundle.url == "https://nowhere.invalid/x")
    #expect(bundle.entry == nil)
    #expect(bundle.sha256 == nil)
    #expect(try bundle.resource(path: "/") == nil)
  }

  @Test(arguments: ["file:///etc/passwd", "about:blank", "data:text/html,x"])
  func otherSchemesAreTheCallersFault(argument: String) {
    let fault = #expect(throws: Fault.self) { try CreativeBundle.open(.init(argument: argument, path: nil, name: "x")) }
    #expect(fault?.code == "url-scheme-refused")
    #expect(fault?.origin == .request)
  }
}

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
    #expect(fault?.code == "url-scheme-refused")
    #expect(fault?.origin == .request)
  }

  @Test("an address that no server takes is refused at once, by how long it is")
  func longAddresses() throws {
    let fault = #expect(throws: Fault.self) { try WebAddress("http://" + String(repeating: "a", count: 70_000)) }
    #expect(fault?.code == "url-too-long")
    #expect(fault?.origin == .request)
    #expect((fault?.message.count ?? 0) < 200)
    #expect(try WebAddress("https://a.example/?q=" + String(repeating: "a", count: 8_000)) != nil)
  }

  @Test(arguments: ["http://", "https:///x", "http://:80/", "http://a b/", "http://a/\n", "http://user@/x"])
  func incompleteAddressesAreTheCallersFault(text: String) {
    let fault = #expect(throws: Fault.self) { try WebAddress(text) }
    #expect(fault?.code == "url-invalid")
  }
}
