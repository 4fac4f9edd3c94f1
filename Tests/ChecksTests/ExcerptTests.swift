import Testing

@testable import Checks

@Suite("Excerpts of files")
struct ExcerptTests {
  private static let screenshot = String(repeating: "iVBORw0KGgo+/A-_", count: 100)

  @Test("data in a text is left out but for its beginning, and nothing else is")
  func data() {
    let code = "logo.src='data:image/png;base64,\(Self.screenshot)=='; open(clickTag)"
    let excerpt = Excerpt(of: Array(code.utf8), most: 1000)
    #expect(excerpt.text == "logo.src='data:image/png;base64,\(Self.screenshot.prefix(64))'; open(clickTag)")
    #expect(excerpt.gaps.map(\.count) == [1602 - 64])
    #expect(!excerpt.isCut)
  }

  @Test(
    "a text without data is as it was",
    arguments: [
      "", "var a = 'b';\n", "grüße\u{1F986}", String(repeating: "function step(now) { return now / 2 }\n", count: 90),
    ])
  func plain(text: String) {
    let excerpt = Excerpt(of: Array(text.utf8), most: 10_000)
    #expect(excerpt.text == text)
    #expect(excerpt.gaps.isEmpty && !excerpt.isCut)
  }

  @Test(
    "of what isn't data so much is kept as there is room for",
    arguments: [0, 5, 31, 32, 33, 95, 96, 97, 112, 113, 114])
  func room(most: Int) {
    let code = "logo.src='data:image/png;base64,\(Self.screenshot)'; open(clickTag)"
    let excerpt = Excerpt(of: Array(code.utf8), most: most)
    #expect(excerpt.text.utf8.count == min(most, 113))
    #expect(excerpt.isCut == (most < 113))
  }

  @Test("bytes that aren't UTF-8 move no place, nor does data on the same line or another")
  func places() throws {
    let lines = "a='\(Self.screenshot)';\nb='\u{FF}\(Self.screenshot)', c='\(Self.screenshot)'; eval(d)\neval(e)"
    var bytes = Array(lines.utf8)
    // A byte of another encoding in place of the two.
    let odd = try #require(bytes.firstIndex(of: 0xC3))
    bytes.replaceSubrange(odd...odd + 1, with: [0xFF])
    let excerpt = Excerpt(of: bytes, most: 10_000)
    let source = SourceText(path: "ad.js", text: excerpt.text, gaps: excerpt.gaps)
    let places = source.text.ranges(of: "eval").map { source.place(of: $0.lowerBound) }
    let column = 4 + 1600 + 7 + 1600 + 3
    #expect(places.map(\.line) == [2, 3])
    #expect(places.map(\.column) == [column, 1])
  }

  @Test(
    "a comment moves no column, whatever its letters",
    arguments: ["/* é ü 漢字 🎈 */ eval(a)", "<!-- é --> eval(a)", "/* a */ eval(a)", "x = 1; /* é\u{301} */ eval(a)"])
  func comments(text: String) throws {
    let source = SourceText(path: "ad.js", text: text)
    let found = try #require(source.text.firstRange(of: "eval"))
    let written = try #require(text.firstRange(of: "eval"))
    #expect(
      source.place(of: found.lowerBound).column == text.distance(from: text.startIndex, to: written.lowerBound) + 1)
  }

  @Test("many pieces of data cost no more than reading the file", .timeLimit(.minutes(1)))
  func pieces() {
    let bytes = Array(String(repeating: "'\(Self.screenshot)',", count: 3000).utf8)
    let excerpt = Excerpt(of: bytes, most: 2_000_000)
    #expect(excerpt.gaps.count == 3000)
    #expect(excerpt.text.utf8.count == 3000 * 67)
  }
}
