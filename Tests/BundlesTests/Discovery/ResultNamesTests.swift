import Testing

@testable import Bundles

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
