import Core
import RenderModel
import TestFolders
import Testing

@testable import Creatives

@Suite("A search for creatives")
struct FolderSearchTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func search(_ name: String, recursive: Bool = true) -> CreativeFinder.Search {
    CreativeFinder.search([folder.path + "/" + name], recursive: recursive) { () throws(Fault) in
      throw .engine("unexpected", "nothing should read standard input")
    }
  }

  private func names(_ search: CreativeFinder.Search) -> [String] {
    search.found.map { found in
      switch found.result {
      case .success(let creative): creative.name
      case .failure(let fault): "✗ \(fault.code)"
      }
    }
  }

  private func leftOut(_ search: CreativeFinder.Search) -> [String] {
    search.leftOut.map { $0.replacing(folder.path, with: "~") }
  }

  @Test("takes answers of any name by their content, and lists what is none")
  func answersOfAnyName() throws {
    try folder.write("set/kite.xml", "<?xml version='1.0'?><VAST version='4.2'/>")
    try folder.write("set/slots.xml", "<vmap:VMAP/>")
    try folder.write("set/won.json", #"{"id": "1", "seatbid": []}"#)
    try folder.write("set/walk.json", #"{"v": "5.1", "assets": [], "layers": []}"#)
    try folder.write("set/lost.json", #"{"seatbid": [}"#)
    try folder.write("set/galley-out/report.html", "<p>")
    try folder.write("set/sitemap.xml", "<urlset/>")
    try folder.write("set/tag.txt", "<script></script>")
    try folder.write("set/page/index.html", "<p>")
    let search = search("set")
    #expect(names(search) == ["kite", "slots", "won", "page"])
    #expect(leftOut(search) == ["~/set/lost.json", "~/set/sitemap.xml", "~/set/tag.txt"])
  }

  @Test("leaves what an answer names to that answer, wrapper by wrapper")
  func namedFiles() throws {
    try folder.write(
      "wrapped/ad.xml", "<VAST><VASTAdTagURI><![CDATA[https://a.example/hop.xml?x=1]]></VASTAdTagURI></VAST>")
    try folder.write("wrapped/hop.xml", "<VAST><VASTAdTagURI> kite%20two.xml </VASTAdTagURI></VAST>")
    try folder.write("wrapped/kite two.xml", "<VAST/>")
    try folder.write("page/ad.xml", "<VAST><InteractiveCreativeFile>simid/index.html</InteractiveCreativeFile></VAST>")
    try folder.write("page/simid/index.html", "<p>")
    for recursive in [true, false] {
      #expect(names(search("wrapped", recursive: recursive)) == ["wrapped"])
      #expect(names(search("page", recursive: recursive)) == ["page"])
    }
  }

  @Test("never takes a folder for one of its answers where it has other creatives")
  func severalWithoutASearch() throws {
    try folder.write("set/bid.json", #"{"seatbid": []}"#)
    for name in ["a", "b", "c", "d", "e", "f"] { try folder.write("set/\(name).html", "<p>") }
    let search = search("set", recursive: false)
    #expect(
      search.found.map(\.result) == [
        .failure(
          .creative(
            "index-missing",
            "\(folder.path)/set has no index.html; it has 7 creatives below (bid.json, a.html, b.html, c.html, d.html and 2 more): use --recursive"
          ))
      ])
  }

  @Test("takes a folder's only answer whatever it is called")
  func onlyAnswer() throws {
    try folder.write("spot/kite.xml", "<VAST/>")
    try folder.write("spot/film.mp4", "film")
    #expect(names(search("spot", recursive: false)) == ["spot"])
  }

  @Test("tells of creatives below a page that don't belong to it")
  func belowAPage() throws {
    try folder.write("set/index.html", "<iframe src='own/index.html'></iframe>")
    try folder.write("set/own/index.html", "<p>")
    try folder.write("set/other/index.html", "<p>")
    try folder.write("set/more.zip", "PK")
    let search = search("set")
    #expect(names(search) == ["set"])
    #expect(leftOut(search) == ["~/set/more.zip", "~/set/other"])
  }

  @Test("ends with answers that name each other")
  func circle() throws {
    try folder.write("set/one.xml", "<VAST>two.xml</VAST>")
    try folder.write("set/two.xml", "<VAST>one.xml</VAST>")
    #expect(names(search("set", recursive: true)) == ["one"])
  }
}

@Suite("A zip as agencies make them")
struct AgencyZipTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func find(_ recursive: Bool) -> [CreativeFinder.Found] {
    CreativeFinder.find([folder.path + "/many.zip"], recursive: recursive) { "" }
  }

  private func many() throws {
    try ZipBuilder.write(
      folder.path + "/many.zip",
      [
        ("many/300x250/index.html", "<title>one</title>"), ("many/300x250/a.png", "a"),
        ("many/728x90/index.html", "<title>two</title>"), ("many/728x90/a.png", "b"), ("__MACOSX/many/._a", "x"),
        ("many/scenario.yaml", "- close"), ("many/728x90/scenario.yaml", "- close"),
      ])
  }

  @Test("is several creatives with a search")
  func several() throws {
    try many()
    let references = find(true).compactMap { try? $0.result.get() }
    #expect(references.map(\.name) == ["many/many/300x250", "many/many/728x90"])
    #expect(references.map(\.argument) == ["300x250", "728x90"].map { "\(folder.path)/many.zip/many/\($0)" })
    let bundles = try references.map { try CreativeBundle.open($0) }
    #expect(bundles.map(\.meta.title) == ["one", "two"])
    #expect(try bundles.map { try $0.resource(path: "a.png")?.bytes } == [Array("a".utf8), Array("b".utf8)])
    #expect(try bundles[1].paths() == ["a.png", "index.html"])
    #expect(bundles[0].sha256 != bundles[1].sha256)
    #expect(bundles[1].sizeClue(references[1])?.size == Size(width: 728, height: 90))
    #expect(try OwnScenario.of(references[0]) == nil)
    #expect(try OwnScenario.of(references[1])?.source == "\(references[1].argument)/scenario.yaml")
  }

  @Test("has creatives that can be named by the way to them")
  func named() throws {
    try many()
    let found = CreativeFinder.find(["\(folder.path)/many.zip/many/728x90/"], recursive: false) { "" }
    let reference = try #require(found.first).result.get()
    #expect(reference.inner == "many/728x90" && reference.name == "many/728x90")
    #expect(try CreativeBundle.open(reference).meta.title == "two")
  }

  @Test("names its pages without a search")
  func withoutASearch() throws {
    try many()
    let fault = folder.fault("many.zip")
    #expect(
      fault?.message.hasSuffix(
        "has no index.html; its pages are many/300x250/index.html, many/728x90/index.html: use --recursive for all, or pass a zip for each"
      ) == true)
    #expect(find(false).compactMap { try? $0.result.get().inner } == [])
  }

  @Test("may part its folders with back slashes, as Windows' tools do")
  func backSlashes() throws {
    try folder.write(
      "many.zip",
      RawZip([.init("ad\\index.html", "<html>"), .init("ad\\img\\a.png", "a"), .init("ad\\img\\", "")]).bytes)
    let bundle = try folder.open("many.zip")
    #expect(try bundle.paths() == ["img/a.png", "index.html"])
    #expect(bundle.warnings.count == 1)
    #expect(bundle.warnings.first?.contains("backslashes") == true)
  }

  @Test("has names that match byte by byte")
  func decomposed() throws {
    try folder.write("many.zip", RawZip([.init("index.html", "<html>"), .init("ba\u{308}r.png", "a")]).bytes)
    let bundle = try folder.open("many.zip")
    #expect(try bundle.resource(path: "b%C3%A4r.png") == nil)
    #expect(try bundle.resource(path: "ba%CC%88r.png")?.bytes == Array("a".utf8))
  }

  @Test("with a password says what to do")
  func password() throws {
    try ZipBuilder.write(folder.path + "/many.zip", [("index.html", "<html>")], password: "x")
    #expect(folder.fault("many.zip")?.message.contains("without a password") == true)
  }
}
