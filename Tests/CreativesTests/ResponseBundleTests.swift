import Core
import RenderModel
import TestFolders
import Testing

@testable import Creatives

/// Ad server's response, opened as it is stored on disk.
struct ResponseBundleTests {
  let folder: TestFolder
  private static let vast = #"<VAST version="3.0"/>"#
  private static let bid =
    #"{"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "1", "price": 1, "w": 728, "h": 90, "adm": "x"}]}]}"#

  init() throws { folder = try TestFolder() }

  @Test(
    "VAST is known by its root, whatever stands before it",
    arguments: [
      "<VAST>", "<VAST version='3.0'>", " \n<?xml version='1.0'?>\n<VAST>", "<!-- <p> --><VAST>",
      "<!DOCTYPE VAST><VAST>", "<v:VAST xmlns:v='x'>", "\u{FEFF}<VAST/>", "<VideoAdServingTemplate>",
    ])
  func vast(text: String) { #expect(ResponseForm(Array(text.utf8)) == .vast) }

  @Test("and in UTF-16") func wide() { #expect(ResponseForm(TestFolder.littleEndian("<VAST/>")) == .vast) }

  @Test("a bid response is an object of JSON", arguments: ["{}", " {\n\"id\": 1}", "{ }"])
  func bid(text: String) { #expect(ResponseForm(Array(text.utf8)) == .bid) }

  @Test(
    "markup and script are neither",
    arguments: ["", "<div>", "<VASTLY>", "<!--", "<p><VAST></p>", "{ let a = 1 }", "{{macro}}", "[{}]", "var a = {}"])
  func neither(text: String) { #expect(ResponseForm(Array(text.utf8)) == nil) }

  @Test func aFileServesWhatLiesBesideIt() throws {
    try folder.write("campaign/spot.xml", Self.vast)
    try folder.write("campaign/spot.webm", "film")
    let bundle = try folder.open("campaign/spot.xml")
    #expect(bundle.kind == .vast)
    #expect(bundle.entry == nil)
    #expect(bundle.response?.form == .vast)
    #expect(bundle.response?.bytes == Array(Self.vast.utf8))
    #expect(bundle.meta.size == Size(width: 300, height: 250))
    #expect(try bundle.resource(path: "/spot.webm")?.bytes == Array("film".utf8))
  }

  @Test func aBidHasTheWinnersSize() throws {
    try folder.write("bid.json", Self.bid)
    let bundle = try folder.open("bid.json")
    #expect(bundle.kind == .bid)
    #expect(bundle.meta.size == Size(width: 728, height: 90))
  }

  @Test func anAnswerOfAnyNameIsKnownButItsFolderIsntServed() throws {
    try folder.write("answer", Self.vast)
    try folder.write("other.txt", "secret")
    let bundle = try folder.open("answer")
    #expect(bundle.kind == .vast)
    #expect(try bundle.resource(path: "/other.txt") == nil)
  }

  @Test(arguments: ["ad.xml", "vast.xml", "bid.json"])
  func aFolderWithoutAPageIsItsAnswer(name: String) throws {
    try folder.write("ad/\(name)", name == "bid.json" ? Self.bid : Self.vast)
    try folder.write("ad/film.webm", "film")
    let bundle = try folder.open("ad")
    #expect(bundle.kind == .folder)
    #expect(bundle.response != nil)
    #expect(try bundle.paths() == [name, "film.webm"].sorted())
    let archive = folder.path + "/ad.zip"
    try ZipBuilder.write(
      archive, [("ad/\(name)", name == "bid.json" ? Self.bid : Self.vast), ("ad/film.webm", "film")])
    let zip = try folder.open("ad.zip")
    #expect(zip.kind == .zip)
    #expect(zip.response != nil)
    #expect(try zip.resource(path: "film.webm")?.bytes == Array("film".utf8))
  }

  @Test func aPageGoesBeforeAnAnswer() throws {
    try folder.write("ad/ad.xml", Self.vast)
    try folder.write("ad/index.html", "<html>")
    #expect(try folder.open("ad").response == nil)
  }

  @Test func aPageBesideAnAnswerBelongsToIt() throws {
    for (name, text) in [("ad.xml", Self.vast), ("survey.html", "<html>")] { try folder.write("ad/\(name)", text) }
    try ZipBuilder.write(folder.path + "/ad.zip", [("survey.html", "<html>"), ("ad.xml", Self.vast)])
    for path in ["ad", "ad.zip"] {
      let bundle = try folder.open(path)
      #expect(bundle.response != nil)
      #expect(try bundle.resource(path: "survey.html") != nil)
    }
    try ZipBuilder.write(folder.path + "/page.zip", [("ad.xml", Self.vast), ("index.html", "<html>")])
    #expect(try folder.open("page.zip").response == nil)
  }

  @Test func aFolderWhoseAnswerIsNoneSaysSo() throws {
    try folder.write("ad/ad.xml", "<note/>")
    #expect(folder.fault("ad")?.code == "response-unrecognized")
  }

  @Test(arguments: [
    ("<rss version=\"2.0\"/>", ": its root element is <rss>"), ("<div>hi</div>", ": its root element is <div>"),
    ("hello", ": it has no root element"),
    ("<?xml version=\"1.0\"?>", ": it has no root element"),
  ])
  func aFileOfXMLThatIsNoAnswerSaysSo(text: String, why: String) throws {
    try folder.write("spot.xml", text)
    let fault = try #require(folder.fault("spot.xml"))
    #expect(fault.code == "response-unrecognized")
    #expect(fault.origin == .creative)
    #expect(fault.message.hasSuffix("isn't VAST, VMAP or a bid response\(why)"))
  }

  @Test func aZipWhoseAnswerIsNoneSaysSo() throws {
    try ZipBuilder.write(folder.path + "/ad.zip", [("ad/ad.xml", "<note/>")])
    #expect(folder.fault("ad.zip")?.code == "response-unrecognized")
  }

  @Test(
    "VAST with a DTD is VAST, for its reader to refuse",
    arguments: ["<!DOCTYPE VAST [<!ENTITY a \"x>\">]><VAST/>", "<?xml version=\"1.0\"?><!doctype vast[ ]><VAST/>"])
  func doctype(text: String) throws {
    #expect(ResponseForm(Array(text.utf8)) == .vast)
    #expect(ResponseForm(TestFolder.littleEndian(text)) == .vast)
    try folder.write("spot.xml", text)
    #expect(try folder.open("spot.xml").response?.form == .vast)
  }

  @Test(arguments: ["1e19", "99999999999", "10000", "-5"])
  func aWinnersSizeThatNoScreenHasIsNone(side: String) throws {
    try folder.write(
      "bid.json",
      "{\"id\": \"r\", \"seatbid\": [{\"bid\": [{\"id\": \"1\", \"impid\": \"1\", \"price\": 1, \"w\": \(side), \"h\": \(side)}]}]}"
    )
    #expect(try folder.open("bid.json").meta.size == nil)
  }

  @Test func isFoundBelowASearchedFolder() throws {
    try folder.write("all/film/ad.xml", Self.vast)
    try folder.write("all/page/index.html", "<html>")
    let found = CreativeFinder.find([folder.path + "/all"], recursive: true) { "" }
    #expect(found.compactMap { try? $0.result.get().name } == ["film", "page"])
  }

  @Test func markupOfABidTakesTheDocumentsPlace() throws {
    try folder.write("bid.json", Self.bid)
    try folder.write("logo.png", "logo")
    let shown = try folder.open("bid.json").showing("<b>ad</b>")
    let document = try #require(shown.entry)
    #expect(document.path == "index.html")
    #expect(String(decoding: document.bytes, as: UTF8.self).contains("<body><b>ad</b></body>"))
    #expect(document.contentType == "text/html; charset=utf-8")
    #expect(try shown.resource(path: "logo.png")?.bytes == Array("logo".utf8))
  }
}
