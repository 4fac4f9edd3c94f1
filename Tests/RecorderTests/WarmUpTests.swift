import Testing

@testable import galley_recorder

@Suite struct WarmUpTests {
  /// Or copies would find nothing done of what takes longest.
  @Test func aRequestIsAnsweredBeforeThereIsAPage() { #expect(WarmUp.answerOnce()) }
}
