import Jobs
import Testing

@Suite("A suggestion")
struct SuggestionTests {
  private let words = ["wait", "tap", "type", "swipe", "background", "foreground"]

  @Test(
    "is the nearest word within two slips",
    arguments: [
      ("tapp", "tap"), ("atp", "tap"), ("TAP", "tap"), ("wiat", "wait"), ("backgroud", "background"), ("tpye", "type"),
      ("swpie", "swipe"), ("foregruond", "foreground"),
    ])
  func near(word: String, expected: String) {
    #expect(Suggestion.nearest(to: word, among: words) == expected)
    #expect(Suggestion.hint(for: word, among: words) == "; did you mean \(expected)?")
  }

  @Test("is none when nothing is near", arguments: ["", "x", "click", "ground", String(repeating: "a", count: 9999)])
  func far(word: String) {
    #expect(Suggestion.nearest(to: word, among: words) == nil)
    #expect(Suggestion.hint(for: word, among: words) == "")
  }

  @Test("is none among no words")
  func nothing() {
    #expect(Suggestion.nearest(to: "tap", among: []) == nil)
  }
}
