import Testing

@testable import Checks

/// Retired check ids, which lead to their replacements.
@Suite struct RetiredChecksTests {
  @Test(arguments: [
    "miner", "sound-or-film", "endless-events", "unasked-expansion", "automatic-open", "own-close", "lost-on-return",
    "unopenable",
  ]) func `an old id is no check's, and its new one is`(_ id: String) throws {
    #expect(Check.named(id) == nil)
    #expect(try Check.named(#require(RetiredChecks.suggestion(for: id))) != nil)
  }
}
