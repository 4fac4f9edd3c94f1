import Testing

@testable import galley_recorder

@Suite struct WarmUpTests {
  /// Answers a request before there is a page; otherwise copies of the process would have to do the slowest part
  /// themselves.
  @Test func aRequestIsAnsweredBeforeThereIsAPage() { #expect(WarmUp.answerOnce()) }
}
