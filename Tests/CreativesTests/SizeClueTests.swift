import Core
import RenderModel
import TestFolders
import Testing

@testable import Creatives

/// The size of an ad that doesn't say it.
struct SizeClueTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func clue(_ path: String, argument: String? = nil, name: String = "ad") throws -> SizeClue? {
    let target = "\(folder.path)/\(path)"
    let reference = CreativeReference(argument: argument ?? path, path: target, name: name)
    return try CreativeBundle.open(reference).sizeClue(reference)
  }

  private static let names: [(String, String?)] = [
    ("Acme_300x250.zip", "300x250"), ("728X90-acme", "728x90"), ("acme 160×600 v2", "160x600"),
    ("banner320x50", "320x50"), ("300x250_300x250", "300x250"), ("2026-11-23_970x250.final.html", "970x250"),
    ("Acme", nil), ("300x250_to_300x600", nil), ("0300x0250", nil), ("1x1", nil), ("12345x90", nil), ("90x", nil),
    ("x", nil), ("9999x9999", nil), ("10x10", nil), ("expand-2x", nil),
  ]

  @Test(arguments: names) func `a name has a size or none`(name: String, size: String?) {
    #expect(SizeName.size(in: name)?.description == size)
  }

  @Test func `the file's name goes before its folder's, and both before its styles`() throws {
    let page = "<body style='width:468px;height:60px'>ad"
    try folder.write("728x90/Acme_300x250.html", page)
    try folder.write("728x90/acme.html", page)
    try folder.write("acme/index.html", page)
    #expect(try clue("728x90/Acme_300x250.html") == SizeClue(size: Size(width: 300, height: 250), source: .name))
    #expect(try clue("728x90/acme.html") == SizeClue(size: Size(width: 728, height: 90), source: .name))
    #expect(try clue("acme") == SizeClue(size: Size(width: 468, height: 60), source: .body))
    #expect(try clue("acme", argument: ".", name: "Acme_160x600")?.size == Size(width: 160, height: 600))
  }

  @Test func `what the creative says goes before its name`() throws {
    try folder.write("a_300x250.html", "<html><meta name=ad.size content='width=320,height=480'>")
    #expect(try clue("a_300x250.html") == SizeClue(size: Size(width: 320, height: 480), source: nil))
  }

  @Test func `a zip's own folder and page have names too`() throws {
    try ZipBuilder.write("\(folder.path)/ad.zip", [("Acme_300x600/index.html", "<html>ad")])
    try ZipBuilder.write("\(folder.path)/other.zip", [("acme-970x90.html", "<html>ad")])
    #expect(try clue("ad.zip") == SizeClue(size: Size(width: 300, height: 600), source: .name))
    #expect(try clue("other.zip")?.size == Size(width: 970, height: 90))
  }

  @Test func `an address's path counts and its host and query don't`() throws {
    func size(_ address: String) throws -> Size? {
      let reference = CreativeReference(argument: address, path: nil, name: "a.example")
      return try CreativeBundle.open(reference).sizeClue(reference)?.size
    }
    #expect(try size("https://a.example/ads/300x250/") == Size(width: 300, height: 250))
    #expect(try size("https://300x250.example/ad?size=728x90") == nil)
  }

  private static let styles: [(String, String?, SizeSource)] = [
    ("<body style='width: 300px; height: 250px'>", "300x250", SizeSource.body),
    ("<style>body { width: 336px; height: 280px }</style><body><p>ad", "336x280", .body),
    ("<style>/* a{ */ html, body { width: 100%; height: 100% }</style><body><div>ad", nil, .body),
    ("<style>#ad{width:300px;height:250px}</style><body><div id=ad>", "300x250", .element),
    ("<style>.b{width:300px}div.b{height:600px !important}</style><body><div class='a b'>", "300x600", .element),
    ("<style>#ad{width:1px}</style><body><div id=ad style='width:300px;height:250px'>", "300x250", .element),
    ("<body><a href=x><div style='width:160px;height:600px'>", "160x600", .element),
    ("<body><img width=1 height=1><canvas width=300 height=250>", "300x250", .element),
    ("<iframe width=728 height=90 src=x></iframe>", "728x90", .element),
    ("<ins style='display:inline-block;width:320px;height:100px'></ins>", "320x100", .element),
    ("<body><div style='width:100px;height:40px'>logo", nil, .element),
    ("<body><p>text<div style='width:300px;height:250px'>", nil, .element),
    ("<style>@media (min-width:1px){#ad{width:300px;height:250px}}</style><body><div id=ad>", nil, .element),
    ("<style>@import 'x';#ad{width:300px;height:250px}</style><body><div id=ad>", "300x250", .element),
    ("<style>#ad:hover{width:300px;height:250px}</style><body><div id=ad>", nil, .element),
    ("<style>#ad{width:300px;height:250px}#ad{width:50%}</style><body><div id=ad>", nil, .element),
    ("<style>#ad{width:300px;height:250px", "", .element), ("<style>}}{{;;:", nil, .body), ("", nil, .body),
  ]

  @Test(arguments: styles) func `styles have a size or none`(html: String, size: String?, source: SizeSource) {
    let clue = StyledSize.clue(of: Array(html.utf8)) { _ in nil }
    guard let size, !size.isEmpty else { return #expect(clue == nil, "\(html)") }
    #expect(clue?.size.description == size && clue?.source == source, "\(html)")
  }

  @Test func `style sheets of the creative's own are read`() throws {
    try folder.write("ad/index.html", "<link rel=stylesheet href=css/a.css><body><div id=ad>")
    try folder.write("ad/css/a.css", "#ad { width: 320px; height: 480px }")
    #expect(try clue("ad") == SizeClue(size: Size(width: 320, height: 480), source: .element))
  }
}
