import Core
import Glibc
import RenderModel
import TestFolders
import Testing

@testable import Creatives

struct OwnScenarioTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Returns the name of a creative's own scenario; nil if it has none.
  private func source(_ name: String) throws -> String? {
    try OwnScenario.of(CreativeReference(argument: name, path: folder.path + "/" + name, name: "ad"))?.source
  }

  @Test func liesInAFolderOrBesideAFile() throws {
    for file in ["folder/index.html", "folder/other.html", "one.html", "two.html", "spot.xml"] {
      try folder.write(file, "<p>")
    }
    for file in ["folder/scenario.yaml", "one.scenario.yaml", "spot.scenario.yaml"] {
      try folder.write(file, "- close")
    }
    #expect(try source("folder") == "folder/scenario.yaml")
    #expect(try source("folder/") == "folder/scenario.yaml")
    #expect(try source("folder/index.html") == "folder/scenario.yaml")
    #expect(try source("folder/other.html") == nil)
    #expect(try source("one.html") == "one.scenario.yaml")
    #expect(try source("two.html") == nil)
    #expect(try source("spot.xml") == "spot.scenario.yaml")
    try folder.write("inner/real.yaml", "- close")
    try folder.write("inner/index.html", "<p>")
    try folder.link("inner/scenario.yaml", to: "real.yaml")
    #expect(try source("inner") == "inner/scenario.yaml")
  }

  @Test func liesInAZipBesideThePageUnlessOneLiesBesideTheZip() throws {
    let page = ("index.html", "<p>")
    try ZipBuilder.write(folder.path + "/flat.zip", [page, ("scenario.yaml", "- close")])
    try ZipBuilder.write(folder.path + "/deep.zip", [("ad/index.html", "<p>"), ("ad/scenario.yaml", "- close")])
    try ZipBuilder.write(folder.path + "/away.zip", [page, ("other/scenario.yaml", "- close")])
    try ZipBuilder.write(folder.path + "/none.zip", [page])
    #expect(try source("flat.zip") == "flat.zip/scenario.yaml")
    #expect(try source("deep.zip") == "deep.zip/ad/scenario.yaml")
    #expect(try source("away.zip") == nil)
    #expect(try source("none.zip") == nil)
    try folder.write("flat.scenario.yaml", "- close")
    #expect(try source("flat.zip") == "flat.scenario.yaml")
  }

  @Test func isNeverLookedForWithoutAFile() throws {
    #expect(try OwnScenario.of(CreativeReference(argument: "https://a.example/", path: nil, name: "a")) == nil)
    let spooled = try folder.write("stdin", "<p>")
    try folder.write("stdin.scenario.yaml", "- close")
    #expect(try OwnScenario.of(CreativeReference(argument: "-", path: spooled, name: "stdin")) == nil)
  }

  /// Reports scenarios that can't be played, instead of skipping them or waiting for them.
  @Test(arguments: ["broken", "binary", "large", "pipe", "link", "zip"]) func isToldWhenItCantBeRead(what: String)
    throws
  {
    try folder.write("secret.yaml", "- close")
    try folder.write("ad/index.html", "<p>")
    let large = [UInt8](repeating: 0x20, count: ScenarioParser.maximumBytes + 1)
    switch what {
    case "broken": try folder.write("ad/scenario.yaml", "- nonsense")
    case "binary": try folder.write("ad/scenario.yaml", [0xFF, 0xFE, 0x00])
    case "large": try folder.write("ad/scenario.yaml", large)
    case "pipe": try #require(mkfifo(folder.path + "/ad/scenario.yaml", 0o600) == 0)
    case "link": try folder.link("ad/scenario.yaml", to: "../secret.yaml")
    default: try ZipBuilder.write(folder.path + "/zip", [("index.html", Array("<p>".utf8)), ("scenario.yaml", large)])
    }
    let fault = #expect(throws: Fault.self) { try source(what == "zip" ? "zip" : "ad") }
    #expect(fault?.origin == .request)
    #expect(fault?.message.contains("scenario.yaml") == true)
  }
}
