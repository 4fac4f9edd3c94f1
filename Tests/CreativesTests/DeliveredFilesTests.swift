import Core
import RenderModel
import TestFolders
import Testing

@testable import Creatives

/// Digests and addresses of what was handed in.
struct DeliveredFilesTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func allFilesOfAFolderCountShownOrNot() throws {
    try folder.write("ad/index.html", "<p><script>var clickTag = \"https://shop.example/a?b=1\"</script>")
    try folder.write("ad/part2.html", "<a href='tel:+4930123'>call</a>")
    try folder.write("ad/img/logo.png", "https://not.text.example")
    try folder.write("ad/scenario.yaml", "steps: []")
    let delivered = try #require(try folder.open("ad").delivered)
    #expect(delivered.whole && delivered.document == "index.html")
    #expect(delivered.files.map(\.path) == ["img/logo.png", "index.html", "part2.html"])
    #expect(delivered.files.map(\.addresses) == [nil, ["https://shop.example/a?b=1"], ["tel:+4930123"]])
    let before = delivered.files.map(\.sha256)
    try folder.write("ad/index.html", "<p><script>var clickTag = \"https://evil.example/a?b=1\"</script>")
    let after = try #require(try folder.open("ad").delivered)
    #expect(after.sha256 != delivered.sha256)
    #expect(zip(before, after.files.map(\.sha256)).map { $0 == $1 } == [true, false, true])
  }

  @Test func aZipPackedAnewHasTheSameFiles() throws {
    try ZipBuilder.write(folder.path + "/a.zip", [("ad/index.html", "<p>"), ("ad/b.js", "'market://x'")])
    try ZipBuilder.write(folder.path + "/b.zip", [("index.html", "<p>"), ("b.js", "'market://x'")])
    let (a, b) = (try folder.open("a.zip"), try folder.open("b.zip"))
    #expect(a.sha256 != b.sha256 && a.delivered == b.delivered)
    #expect(a.delivered?.files.map(\.addresses) == [["market://x"], nil])
  }

  @Test func ofADocumentAmongOthersOnlyWhatWasAskedForCounts() throws {
    try folder.write("one.html", "<html><p>")
    try folder.write("used.js", "1")
    try folder.write("other.html", "<html>2")
    let bundle = try folder.open("one.html")
    _ = try bundle.resource(path: "/used.js")
    #expect(bundle.delivered?.whole == false && bundle.delivered?.document == "one.html")
    #expect(bundle.delivered?.files.map(\.path) == ["one.html", "used.js"])
  }

  @Test(arguments: [
    ("https://a.example/ads/u.html?v=1#x", "u.html"), ("https://a.example", "index.html"),
    ("http://a.example/b/", "index.html"),
  ])
  func ofAnAddressTheDocumentCountsAsItsServerGaveIt(url: String, name: String) throws {
    func delivered(_ document: String) throws -> DeliveredFiles? {
      let bundle = try CreativeBundle.open(CreativeReference(argument: url, path: nil, name: "u"))
      #expect(bundle.delivered == nil)
      bundle.note(document: Array(document.utf8))
      return bundle.delivered
    }
    let before = try #require(try delivered("<a href='https://shop.example/a'>"))
    #expect(!before.whole && before.document == name)
    #expect(before.files.map(\.path) == [name] && before.files.map(\.addresses) == [["https://shop.example/a"]])
    #expect(try delivered("<a href='https://evil.example/a'>")?.sha256 != before.sha256)
    #expect(try delivered("<a href='https://shop.example/a'>") == before)
  }

  @Test func ofAnAddressTheFilesOfItsServerCount() throws {
    func delivered(_ script: String) throws -> DeliveredFiles? {
      let bundle = try CreativeBundle.open(
        CreativeReference(argument: "https://a.example/ad/", path: nil, name: "u"))
      bundle.note(file: Array(script.utf8), type: "text/javascript", at: "js/app.js?v=1")
      bundle.note(file: [1], type: "image/png", at: "a.png")
      #expect(bundle.delivered == nil)
      bundle.note(document: Array("<p>".utf8))
      return bundle.delivered
    }
    let before = try #require(try delivered("open('https://shop.example/a')"))
    #expect(!before.whole && before.files.map(\.path) == ["a.png", "index.html", "js/app.js?v=1"])
    #expect(before.files.last?.addresses == ["https://shop.example/a"])
    let after = try #require(try delivered("open('https://shop.example/b')"))
    #expect(zip(before.files, after.files).filter { $0 != $1 }.map(\.0.path) == ["js/app.js?v=1"])
  }

  @Test(arguments: [
    ("https://a.example/js/app.js?v=1#x", "https://a.example/ad/i.html", "js/app.js?v=1"),
    ("https://a.example/", "https://a.example", ""), ("https://cdn.example/a.js", "https://a.example/", nil),
    ("http://a.example/a.js", "https://a.example/", nil), ("https://a.example:8443/a.js", "https://a.example/", nil),
    ("data:text/plain,x", "https://a.example/", nil),
  ])
  func onlyTheDocumentsOriginCounts(address: String, document: String, path: String?) {
    #expect(CreativeBundle.path(of: address, besides: document) == path)
  }

  @Test(arguments: [
    ("a https://a.example/x\">", ["https://a.example/x"]), ("url(//cdn.example/x) http://b", ["http://b"]),
    ("<![CDATA[https://a.example/v?a[]=1]]>", ["https://a.example/v?a[]=1"]), ("x://y z://", ["x://y"]),
    ("a:b mailto:me@a.example, tel:", ["mailto:me@a.example,"]),
    ("https:\\/\\/a.example", []), ("1https://a.example", []),
    ("http://a.example http://a.example", ["http://a.example"]),
  ])
  func findsAddresses(text: String, found: [String]) {
    #expect(AddressScan.addresses(in: Array(text.utf8)) == found)
  }

  @Test func boundsWhatItKeeps() {
    let long = "https://a.example/" + String(repeating: "x", count: 5_000)
    #expect(AddressScan.addresses(in: Array(long.utf8)).map(\.utf8.count) == [500])
    let many = (0..<500).map { "https://a.example/\($0)" }.joined(separator: " ")
    #expect(AddressScan.addresses(in: Array(many.utf8)).count == DeliveredFiles.mostAddresses)
  }
}
