import Core
import Testing

/// Suggestions of words that the user probably meant.
@Suite struct SuggestionTests {
  private static let names = ["spec", "gma", "prebid-android", "prebid-ios", "unity"]

  @Test(arguments: [
    ("prebid", ["prebid-android", "prebid-ios"]), ("Prebid-i", ["prebid-ios"]), ("gam", ["gma"]), ("unitty", ["unity"]),
    ("p", []), ("", []), ("applovin", []),
  ]) func `a beginning counts before the nearest`(word: String, likely: [String]) {
    #expect(Suggestion.likely(for: word, among: Self.names) == likely)
  }
}
