import Core
import Glibc
import RenderModel
import TestFolders
import Testing

@testable import Creatives

struct CreativeFinderTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func find(
    _ arguments: [String], recursive: Bool = false, standardInput: String? = nil
  ) -> [CreativeFinder.Found] {
    CreativeFinder.find(arguments, recursive: recursive) { () throws(Fault) in
      guard let standardInput else { throw .engine("unexpected", "nothing should read standard input") }
      return standardInput
    }
  }

  /// `path → name` of each creative, `argument ✗ origin code` of each fault.
  private func summary(_ found: [CreativeFinder.Found]) -> [String] {
    found.map { found in
      let argument = found.argument.replacing(folder.path, with: "~")
      switch found.result {
      case .success(let creative):
        return "\((creative.path ?? creative.argument).replacing(folder.path, with: "~")) → \(creative.name)"
      case .failure(let fault): return "\(argument) ✗ \(fault.origin) \(fault.code)"
      }
    }
  }

  @Test func findsEveryKindOfArgument() throws {
    let html = try folder.write("banner.v2.html", "<p>")
    let zip = try folder.write("ad.zip", "PK")
    try folder.write("site.v2/index.html", "<p>")
    let tag = try folder.write("tag.txt", "<script></script>")
    let found = find([html, zip, folder.path + "/site.v2/", tag, "https://cdn.example.com/a/b.html?x=1"])
    #expect(
      summary(found) == [
        "~/banner.v2.html → banner.v2", "~/ad.zip → ad", "~/site.v2 → site.v2", "~/tag.txt → tag",
        "https://cdn.example.com/a/b.html?x=1 → cdn.example.com-a-b",
      ])
    #expect(
      found.map(\.argument) == [html, zip, folder.path + "/site.v2/", tag, "https://cdn.example.com/a/b.html?x=1"])
  }

  @Test func takesAFolderWithOneDocumentForThatDocument() throws {
    try folder.write("tag/ad.html", "<b>")
    try folder.write("tag/ad.scenario.yaml", "- close")
    try folder.write("two/a.html", "<b>")
    try folder.write("two/b.html", "<b>")
    try folder.write("deep/a.html", "<b>")
    try folder.write("deep/more/index.html", "<b>")
    let found = find(["tag", "two", "deep"].map { folder.path + "/" + $0 })
    #expect(
      summary(found) == ["~/tag/ad.html → tag", "~/two ✗ creative index-missing", "~/deep ✗ creative index-missing"])
    #expect(found[0].argument == folder.path + "/tag/ad.html")
  }

  @Test func whatGalleyKeepsBesideCreativesIsNone() throws {
    try folder.write("ad/index.html", "<b>")
    try folder.write("galley-baselines/ad/manifest.json", "{}")
    try folder.write("galley-out/report.html", "<b>")
    try folder.write("galley-verified/index.html", "<b>")
    try folder.write("galley.yaml", "profiles: [iab]")
    let all = ["ad", "galley-baselines", "galley-out/", "galley-verified", "galley.yaml"].map { folder.path + "/" + $0 }
    #expect(summary(find(all)) == ["~/ad → ad", "~/galley-verified → galley-verified"])
    #expect(summary(find([all[1]])) == ["~/galley-baselines ✗ creative index-missing"])
  }

  @Test func oneBadArgumentCostsOnlyItself() throws {
    let good = try folder.write("good.html", "<p>")
    try folder.write("empty.html", "")
    try folder.write("blob.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D])
    try folder.makeFolder("bare")
    mkfifo(folder.path + "/pipe", 0o600)
    try folder.link("dangling.html", to: "nowhere.html")
    let bad = ["missing.html", "empty.html", "blob.png", "bare", "pipe", "dangling.html"].map { folder.path + "/" + $0 }
    let found = find(bad + ["/dev/null", "ftp://host/x.html", "http:///x", "", good])
    #expect(
      summary(found) == [
        "~/missing.html ✗ request file-missing", "~/empty.html ✗ creative creative-empty",
        "~/blob.png ✗ request creative-unrecognized",
        "~/bare ✗ creative index-missing", "~/pipe ✗ request file-not-regular",
        "~/dangling.html ✗ request file-missing",
        "/dev/null ✗ request file-not-regular", "ftp://host/x.html ✗ request url-scheme-refused",
        "http:///x ✗ request url-invalid",
        " ✗ request file-missing", "~/good.html → good",
      ])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func unreadableFileIsTheCallersFault() throws {
    let secret = try folder.write("secret.html", "<p>")
    chmod(secret, 0)
    #expect(summary(find([secret])) == ["~/secret.html ✗ request file-unreadable"])
  }

  @Test func creativesOfOneNameAreToldApartByTheirFolders() throws {
    let paths = try ["a/ad.html", "b/ad.zip", "c/ad.htm"].map { try folder.write($0, "<p>") }
    #expect(
      summary(find(paths + [paths[0]])) == [
        "~/a/ad.html → a/ad", "~/b/ad.zip → b/ad", "~/c/ad.htm → c/ad", "~/a/ad.html → a/ad-2",
      ])
    #expect(
      summary(find([paths[1], paths[0]])) == ["~/b/ad.zip → b/ad", "~/a/ad.html → a/ad"])
  }

  @Test func asManyFoldersAsNeededTellCreativesApart() throws {
    let paths = try ["spring/de/ad.html", "autumn/de/ad.html"].map { try folder.write($0, "<p>") }
    #expect(
      summary(find(paths)) == ["~/spring/de/ad.html → spring/de/ad", "~/autumn/de/ad.html → autumn/de/ad"])
    for name in ["one/banner/only.html", "two/banner/only.html"] { try folder.write(name, "<p>") }
    #expect(
      summary(find([folder.path + "/one/banner", folder.path + "/two/banner"])) == [
        "~/one/banner/only.html → one/banner", "~/two/banner/only.html → two/banner",
      ])
  }

  @Test func standardInputIsSpooledOnce() throws {
    let spooled = try folder.write("spooled", "<div></div>")
    #expect(summary(find(["-", "-"], standardInput: spooled)) == ["~/spooled → stdin", "- ✗ request stdin-reused"])
  }

  @Test func emptyStandardInputIsTheCreativesFault() throws {
    let spooled = try folder.write("spooled", "")
    let found = find(["-"], standardInput: spooled)
    #expect(found.map(\.result) == [.failure(.creative("creative-empty", "standard input is empty"))])
  }

  @Test func failedSpoolIsReportedForTheDashOnly() throws {
    let good = try folder.write("good.html", "<p>")
    #expect(summary(find(["-", good])) == ["- ✗ engine unexpected", "~/good.html → good"])
  }

  @Test func folderWithCreativesBelowIsPointedToRecursive() throws {
    try folder.write("set/one/index.html", "<p>")
    let fault = Fault.creative(
      "index-missing", "\(folder.path)/set has no index.html; it has a creative below (one): use --recursive")
    #expect(find([folder.path + "/set"]).map(\.result) == [.failure(fault)])
  }

  @Test func recursiveWalkIsSortedAndKeepsRelativeNames() throws {
    try folder.write("set/mraid/expand-one-part/index.html", "<p>")
    try folder.write("set/mraid/expand-one-part/inner/index.html", "<p>")
    try folder.write("set/mraid/expand-one-part/part2.html", "<p>")
    try folder.write("set/mraid/banner.html", "<p>")
    try folder.write("set/mraid/tag.txt", "<p>")
    try folder.write("set/a.zip", "PK")
    try folder.write("set/B.html", "<p>")
    try folder.write("set/.git/index.html", "<p>")
    try folder.write("set/.hidden.html", "<p>")
    #expect(
      summary(find([folder.path + "/set"], recursive: true)) == [
        "~/set/B.html → B", "~/set/a.zip → a", "~/set/mraid/banner.html → mraid/banner",
        "~/set/mraid/expand-one-part → mraid/expand-one-part",
      ])
  }

  @Test func recursiveArgumentsKeepTheCallersSpelling() throws {
    try folder.write("set/x/index.html", "<p>")
    let found = find([folder.path + "/set/"], recursive: true)
    #expect(found.map(\.argument) == [folder.path + "/set/x"])
  }

  @Test func recursiveFolderWithIndexIsOneCreative() throws {
    try folder.write("set/index.html", "<p>")
    try folder.write("set/other/index.html", "<p>")
    #expect(summary(find([folder.path + "/set"], recursive: true)) == ["~/set → set"])
  }

  @Test func anAnswerAmongOtherCreativesIsOneOfThem() throws {
    try folder.write("set/vast.xml", "<VAST/>")
    try folder.write("set/one/index.html", "<p>")
    try folder.write("set/deep/bid.json", "{}")
    try folder.write("set/deep/two/ad.html", "<p>")
    #expect(
      summary(find([folder.path + "/set"], recursive: true)) == [
        "~/set/vast.xml → vast", "~/set/deep/bid.json → deep/bid", "~/set/deep/two/ad.html → deep/two/ad",
        "~/set/one → one",
      ])
    #expect(
      find([folder.path + "/set"]).map(\.result) == [
        .failure(
          .creative(
            "index-missing",
            "\(folder.path)/set has no index.html; it has 4 creatives below (vast.xml, deep/bid.json, deep/two/ad.html, one): use --recursive"
          ))
      ])
  }

  @Test func anAnswerWithItsFilmsAloneIsItsFolder() throws {
    try folder.write("set/spot/ad.xml", "<VAST/>")
    try folder.write("set/spot/films/a.mp4", "film")
    #expect(summary(find([folder.path + "/set"], recursive: true)) == ["~/set/spot → spot"])
    #expect(summary(find([folder.path + "/set/spot"], recursive: true)) == ["~/set/spot → spot"])
  }

  @Test func recursiveWalkKeepsFaultsBesideCreatives() throws {
    try folder.write("set/a.html", "")
    try folder.write("set/b.html", "<p>")
    #expect(
      summary(find([folder.path + "/set"], recursive: true)) == [
        "~/set/a.html ✗ creative creative-empty", "~/set/b.html → b",
      ])
  }

  @Test func recursiveFolderWithoutCreativesIsTheCallersFault() throws {
    try folder.write("set/readme.txt", "hello")
    #expect(summary(find([folder.path + "/set"], recursive: true)) == ["~/set ✗ request creatives-missing"])
  }

  @Test func recursiveWalkNeverLeavesTheTreeOrLoops() throws {
    try folder.write("outside/secret/index.html", "<p>")
    let file = try folder.write("outside/secret.html", "<p>")
    try folder.write("set/real.html", "<p>")
    try folder.link("set/loop", to: ".")
    try folder.link("set/away", to: folder.path + "/outside")
    try folder.link("set/away.html", to: file)
    try folder.link("set/within.html", to: "real.html")
    #expect(
      summary(find([folder.path + "/set"], recursive: true)) == [
        "~/set/real.html → real", "~/set/within.html → within",
      ])
  }

  @Test func archiveAndFolderOfOneNameDontNestTheirResults() throws {
    try folder.write("set/a.zip", "PK")
    try folder.write("set/a/x/index.html", "<p>")
    #expect(
      summary(find([folder.path + "/set"], recursive: true)) == ["~/set/a/x → a/x", "~/set/a.zip → a-2"])
  }
}

struct ResultNamesTests {
  @Test(arguments: [
    ("banner", "banner"), ("..", "creative"), ("", "creative"), ("...", "creative"), ("..a", "a"), ("a..b", "a.b"),
    ("a/b", "a-b"), (#"a\b:c*d?e"f<g>h|i"#, "a-b-c-d-e-f-g-h-i"), ("a\u{1B}[31m\nb\u{202E}", "a[31mb"), (" a. ", "a"),
    ("über 广告", "über 广告"), ("\u{0D4E}..x", "\u{0D4E}.x"), ("a/\u{308}b", "a-\u{308}b"),
  ])
  func namesAreSafePathComponents(text: String, name: String) {
    #expect(SafeName.make(text) == name)
  }

  @Test func longNamesAreCutByCharactersAndBytes() {
    #expect(SafeName.make(String(repeating: "a", count: 300)).count == 100)
    #expect(SafeName.make(String(repeating: "é", count: 300)) == String(repeating: "é", count: 100))
    #expect(SafeName.make(String(repeating: "告", count: 300)).utf8.count == 198)
  }

  @Test func numberedNamesStayWithinTheLimit() {
    var names = ResultNames()
    let long = String(repeating: "a", count: 150)
    #expect(names.claim([long]) == String(repeating: "a", count: 100))
    #expect(names.claim([long]) == String(repeating: "a", count: 98) + "-2")
    #expect(names.claim([long]) == String(repeating: "a", count: 98) + "-3")
  }

  @Test func deepNamesKeepTheirLastFolders() {
    var names = ResultNames()
    let folder = String(repeating: "f", count: 25)
    #expect(names.claim([folder + "1", folder + "2", folder + "3", "ad"]) == "\(folder)2/\(folder)3/ad")
    #expect(names.claim([String(repeating: "g", count: 80), "ad"]) == "ad")
  }

  @Test func noNameLiesInsideAnother() {
    var names = ResultNames()
    #expect(
      ["a", "a/b", "a/c", "a", "a-2", "x/y", "x"].map { names.claim(ResourcePath.normalise($0)) } == [
        "a", "a-2/b", "a-2/c", "a-3", "a-2-2", "x/y", "x-2",
      ])
  }

  @Test func numberedNamesDontMeetWrittenOnes() {
    var names = ResultNames()
    #expect(["a-2", "a", "a", "a-2"].map { names.claim([$0]) } == ["a-2", "a", "a-3", "a-2-2"])
  }
}
