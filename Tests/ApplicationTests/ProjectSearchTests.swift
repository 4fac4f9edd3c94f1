import Checks
import Core
import Foundation
import TestFolders
import Testing

@testable import Application

/// Choice of the project's file for a call, and files that are never chosen.
///
/// The folder of the call is given; the process stays in its own.
@Suite struct ProjectSearchTests {
  private let place: TestFolder

  init() throws { place = try TestFolder() }

  private func file(from here: String = "", searches: Bool = false, _ creatives: String...) throws -> String? {
    let paths = creatives.map { $0.hasPrefix("/") || $0 == "-" ? $0 : place.file($0) }
    let search = try ProjectSearch(paths, searches: searches, in: place.file(here))
    return search.file.map { String($0.dropFirst(place.path.count + 1)) }
  }

  private func passed(_ creatives: String...) throws -> [String] {
    try ProjectSearch(creatives.map(place.file), searches: false, in: place.path).passed
      .map { String($0.dropFirst(place.path.count + 1)) }
  }

  @Test func aCreativesOwnFileNeverCounts() throws {
    for name in ["ads/one/index.html", "ads/one/galley.yaml", "ads/two/page.html", "ads/two/galley.yaml"] {
      try place.write(name, "")
    }
    for creative in ["ads/one", "ads/one/", "ads/one/.", "ads/one/index.html", "ads/two", "ads/two/page.html"] {
      #expect(try file(creative) == nil, "\(creative)")
    }
    #expect(try passed("ads/one", "ads/two/page.html") == ["ads/one/galley.yaml", "ads/two/galley.yaml"])
    try place.write("ads/galley.yaml", "")
    for creative in ["ads/one", "ads/one/index.html", "ads/two/page.html"] {
      #expect(try file(creative) == "ads/galley.yaml", "\(creative)")
    }
    #expect(try file("ads/one", "ads/two") == "ads/galley.yaml")
  }

  @Test func theFolderOfTheCallGoesFirstAndThenWhatIsAboveIt() throws {
    for name in ["galley.yaml", "ads/galley.yaml", "ads/brand/galley.yaml", "ads/brand/one/index.html"] {
      try place.write(name, "")
    }
    #expect(try file("ads/brand/one") == "galley.yaml")
    #expect(try file(from: "ads", "ads/brand/one") == "ads/galley.yaml")
    try FileManager.default.removeItem(atPath: place.file("ads/galley.yaml"))
    #expect(try file(from: "ads", "ads/brand/one") == "ads/brand/galley.yaml")
    try place.makeFolder(".git")
    #expect(try file(from: "ads", "ads/brand/one") == "galley.yaml")
    // A repository that came along with a creative hides nothing.
    try place.makeFolder("ads/brand/.git")
    #expect(try file(from: "ads", "ads/brand/one") == "galley.yaml")
  }

  @Test func aPagesFolderIsTheCallersWhenTheCallIsMadeThere() throws {
    for name in ["ad/index.html", "ad/galley.yaml"] { try place.write(name, "") }
    #expect(try file(from: "ad", "ad/index.html") == "ad/galley.yaml")
    #expect(try file(from: "ad", "ad") == nil)
    #expect(try file(from: "ad", "ad/index.html", "ad") == nil)
  }

  @Test func aFolderWithAPageIsACreativesWhateverTheCallNames() throws {
    for name in [
      "ads/one.html", "ads/galley.yaml", "ads/small/index.html", "ads/pack.zip", "vast/ad.xml", "vast/galley.yaml",
    ] {
      try place.write(name, "PK\u{3}\u{4}")
    }
    #expect(try file("ads/small") == nil && file("ads/pack.zip") == nil && file("ads/small/index.html") == nil)
    #expect(try file(searches: true, "ads") == nil && file("vast") == nil && file("vast/ad.xml") == nil)
    try place.write("galley.yaml", "")
    #expect(try file("ads/small") == "galley.yaml" && file(searches: true, "ads") == "galley.yaml")
  }

  @Test func aSearchedFolderIsTheCallers() throws {
    for name in ["ads/one/index.html", "ads/galley.yaml", "zips/a.zip", "zips/galley.yaml"] {
      try place.write(name, "PK\u{3}\u{4}")
    }
    #expect(try file(searches: true, "ads") == "ads/galley.yaml")
    #expect(try file("ads") == nil)
    #expect(try file("zips/a.zip") == "zips/galley.yaml")
  }

  @Test func filesOfOneCallThatDifferAreRefused() throws {
    for name in ["a/one/index.html", "a/galley.yaml", "b/one/index.html", "c/one/index.html", "c/galley.yaml"] {
      try place.write(name, "")
    }
    for others in [["a/one", "b/one"], ["b/one", "a/one"], ["a/one", "c/one"]] {
      let fault = #expect(throws: Fault.self) { try file(others[0], others[1]) }
      #expect(fault?.code == "policy-ambiguous")
    }
    #expect(try file("a/one", "-", "/nowhere/x") == "a/galley.yaml")
    try place.write("galley.yaml", "")
    #expect(try file("a/one", "c/one") == "galley.yaml")
  }

  @Test func aLinkedCreativeIsWhereTheCallerHasIt() throws {
    for name in ["in/bundle/ad/index.html", "in/bundle/galley.yaml", "in/bundle/ad/galley.yaml"] {
      try place.write(name, "")
    }
    try place.makeFolder("ads")
    try FileManager.default.createSymbolicLink(
      atPath: place.file("ads/x"), withDestinationPath: place.file("in/bundle/ad"))
    #expect(try file("ads/x") == nil && file("ads/x/") == nil)
    try place.write("ads/galley.yaml", "")
    #expect(try file("ads/x") == "ads/galley.yaml")
    #expect(try file("ads/x/index.html") == "ads/galley.yaml")
    // As a shell's star names it.
    #expect(try file("ads/galley.yaml", "ads/x") == "ads/galley.yaml")
  }

  @Test func aFolderThatAnybodyWritesToIsNobodysProject() throws {
    try place.write("shared/ad/index.html", "")
    try place.write("shared/galley.yaml", "")
    #expect(try file("shared/ad") == "shared/galley.yaml")
    chmod(place.file("shared"), 0o1777)
    #expect(try file("shared/ad") == nil)
  }

  @Test(arguments: ["link", "dangling", "pipe", "folder"]) func whatIsNoFileIsToldAndNeverWaitedFor(kind: String) throws
  {
    try place.write("ads/ad/index.html", "")
    try place.write("real.yaml", "fail-on: note\n")
    let path = place.file("ads/galley.yaml")
    switch kind {
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: place.file("real.yaml"))
    case "dangling": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
    case "pipe": #expect(mkfifo(path, 0o644) == 0)
    default: try place.makeFolder("ads/galley.yaml")
    }
    let fault = #expect(throws: Fault.self) { try PolicyFile(named: nil, creatives: [place.file("ads/ad")]) }
    #expect(fault?.code == "policy-missing" && fault?.origin == .request, "\(String(describing: fault))")
  }

  @Test func aPolicyTellsWhereItIsFrom() throws {
    try place.write("ads/ad/index.html", "")
    let path = try place.write("ads/galley.yaml", "fail-on: note\n")
    let creative = place.file("ads/ad")
    let found = try PolicyFile(named: nil, creatives: [creative])
    #expect(found.source.source == .found && found.source.path == path && found.source.sha256?.count == 64)
    #expect(try PolicyFile(named: path, creatives: [creative]).source.source == .named)
    try FileManager.default.moveItem(atPath: path, toPath: creative + "/galley.yaml")
    let none = try PolicyFile(named: nil, creatives: [creative])
    #expect(none.source == .none && none.policy == Policy() && none.remark?.contains("ad/galley.yaml") == true)
  }

  @Test(arguments: ["profile-files: [../own.json]", "profile-files: [/etc/own.json]", "profile: [../own.json]"])
  func aFoundPolicyDoesNotLeadOutOfItsFolder(text: String) throws {
    try place.write("ads/ad/index.html", "")
    try place.write("ads/galley.yaml", text)
    let file = try PolicyFile(named: nil, creatives: [place.file("ads/ad")])
    let fault = #expect(throws: Fault.self) { try file.profiles(asked: nil) }
    #expect(fault?.code == "policy-option-refused")
  }
}
