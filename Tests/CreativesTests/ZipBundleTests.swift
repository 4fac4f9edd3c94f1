import Core
import TestFolders
import Testing

@testable import Creatives

struct ZipBundleTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func zip(_ files: [(name: String, text: String)]) throws -> CreativeBundle {
    try ZipBuilder.write(folder.path + "/ad.zip", files)
    return try folder.open("ad.zip")
  }

  @Test func entriesAreInflatedOnDemand() throws {
    let bundle = try zip([
      ("img/", ""), ("img/a b.png", "picture"), ("index.html", "<html><title>Z</title>"), ("ü.css", "c"),
      ("empty.js", ""),
    ])
    #expect(bundle.kind == .zip)
    #expect(bundle.entry?.path == "index.html")
    #expect(bundle.entry?.contentType == "text/html; charset=utf-8")
    #expect(bundle.meta.title == "Z")
    #expect(
      try bundle.resource(path: "/img/a%20b.png?x") == BundleResource(path: "img/a b.png", bytes: Array("picture".utf8))
    )
    #expect(try bundle.resource(path: "%C3%BC.css")?.bytes == Array("c".utf8))
    #expect(try bundle.resource(path: "empty.js")?.bytes == [])
    #expect(try bundle.resource(path: "img/") == nil)
    #expect(try bundle.resource(path: "missing") == nil)
    #expect(try bundle.resource(path: "/") == bundle.entry)
  }

  @Test func hashIsOfTheFile() throws {
    let raw = RawZip([.init("index.html", "<html>")]).bytes
    try folder.write("ad.zip", raw)
    let bundle = try folder.open("ad.zip")
    #expect(bundle.sha256 == "1c7ff898f010ddfc5c0071c936c3ffd190a742301c498225effddce97326dde1")
  }

  @Test func onlyTopFolderBecomesTheRoot() throws {
    let bundle = try zip([
      ("banner/index.html", "<html>"), ("banner/js/a.js", "a"), ("__MACOSX/banner/._index.html", "m"),
      (".DS_Store", "d"),
    ])
    #expect(bundle.entry?.path == "index.html")
    #expect(try bundle.resource(path: "js/a.js")?.bytes == Array("a".utf8))
    #expect(try bundle.resource(path: "../.DS_Store") == nil)
    #expect(try bundle.resource(path: "banner/js/a.js") == nil)
  }

  @Test func onlyDocumentBecomesTheEntry() throws {
    let bundle = try zip([("ad.htm", "<html>"), ("js/a.js", "a")])
    #expect(bundle.entry?.path == "ad.htm")
    #expect(bundle.entry?.mimeType == "text/html")
    #expect(try bundle.resource(path: "js/a.js")?.bytes == Array("a".utf8))
  }

  @Test(arguments: [
    ["a.html", "b.html"], ["one/index.html", "two/index.html"], ["one/index.html", "readme.txt"], ["a.js"], [],
    ["one/two/index.html"], ["Index/x.js"],
  ])
  func archiveWithoutOneDocumentIsAFault(names: [String]) throws {
    try folder.write("ad.zip", RawZip(names.map { .init($0) }).bytes)
    let fault = folder.fault("ad.zip")
    #expect(fault?.code == "index-missing")
    #expect(fault?.origin == .creative)
  }

  @Test func archiveServesTheSameToManyTasks() async throws {
    let text = String(repeating: "0123456789", count: 30_000)
    let bundle = try zip([("index.html", "<html>")] + (0..<8).map { ("\($0).txt", "\($0)\(text)") })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<64 {
        group.addTask {
          let bytes = try bundle.resource(path: "\(index % 8).txt")?.bytes
          #expect(bytes == Array("\(index % 8)\(text)".utf8))
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func entryDocumentIsCheckedLikeAFile() throws {
    try ZipBuilder.write(folder.path + "/bad.zip", [("index.html", [0x3C, 0x62, 0x3E, 0xFF])])
    #expect(try folder.open("bad.zip").entry?.charset == "windows-1252")
    #expect(try folder.open("bad.zip").warnings.count == 1)
    try ZipBuilder.write(folder.path + "/blank.zip", [("index.html", "")])
    #expect(folder.fault("blank.zip")?.code == "creative-empty")
    try ZipBuilder.write(folder.path + "/large.zip", [("index.html", "<html>.......")])
    var limits = BundleLimits.standard
    limits.largestHTML = 10
    #expect(folder.fault("large.zip", limits: limits)?.code == "html-too-large")
  }

  @Test func filesForGalleyAreNoPartOfTheCreative() throws {
    let bundle = try zip([("ad/index.html", "<html>"), ("ad/scenario.yaml", "- close"), ("ad/galley.yaml", "x")])
    #expect(try bundle.paths() == ["index.html"])
    #expect(try bundle.resource(path: "scenario.yaml") == nil)
  }

  @Test func listsItsFilesBelowTheDocumentsFolder() throws {
    let bundle = try zip([
      ("ad/index.html", "<html>"), ("ad/img/", ""), ("ad/img/a.png", "a"), ("__MACOSX/ad/._a.png", "x"),
      ("ad/.DS_Store", "x"),
    ])
    #expect(try bundle.paths() == ["img/a.png", "index.html"])
  }
}
