import Core
import Testing

@testable import Recordings

@Suite struct MatchingTests {
  private func get(_ url: String, _ index: Int, range: String? = nil) -> Exchange {
    Exchange(
      index: index, method: "GET", url: url, requestHeaders: range.map { [Exchange.Header("Range", $0)] } ?? [],
      response: Exchange.Response(status: 200))
  }

  private func place(_ result: MatchResult) -> Int? {
    if case .found(let exchange, _) = result { exchange.index } else { nil }
  }

  private func nearest(_ result: MatchResult) -> String? {
    if case .missing(let nearest) = result { nearest } else { nil }
  }

  @Test func theSameRequestsGetTheirAnswersInTheOrderOfAsking() {
    var index = RecordingIndex(exchanges: [get("https://a/x", 0), get("https://a/x", 1), get("https://a/y", 2)])
    #expect(place(index.match(AskedRequest(method: "GET", url: "https://a/x"))) == 0)
    #expect(place(index.match(AskedRequest(method: "GET", url: "https://a/x"))) == 1)
    #expect(index.unused.map(\.index) == [2])
    // An engine's cache may ask more often than it did.
    #expect(place(index.match(AskedRequest(method: "GET", url: "https://a/x"))) == 1)
  }

  @Test func whatChangesSomethingIsAnsweredOnceOnly() {
    let post = Exchange(index: 0, method: "POST", url: "https://a/x", response: Exchange.Response(status: 200))
    var index = RecordingIndex(exchanges: [post])
    #expect(place(index.match(AskedRequest(method: "POST", url: "https://a/x"))) == 0)
    #expect(nearest(index.match(AskedRequest(method: "POST", url: "https://a/x"))) == "it was requested once")
  }

  @Test func rangesAndBodiesTellRequestsApart() {
    let body = Exchange.Content(digest: SHA256.of("a=1").hex, size: 3, mimeType: "")
    let post = Exchange(
      index: 2, method: "POST", url: "https://a/x", requestBody: body, response: Exchange.Response(status: 200))
    var index = RecordingIndex(
      exchanges: [get("https://a/f", 0, range: "bytes=0-9"), get("https://a/f", 1, range: "bytes=10-"), post])
    let range = AskedRequest(method: "GET", url: "https://a/f", headers: [Exchange.Header("range", "bytes=10-")])
    #expect(place(index.match(range)) == 1)
    #expect(
      nearest(index.match(AskedRequest(method: "POST", url: "https://a/x", body: Array("a=2".utf8))))
        == "request 2 differs in its body")
    #expect(place(index.match(AskedRequest(method: "POST", url: "https://a/x", body: Array("a=1".utf8)))) == 2)
  }

  @Test func nothingIsGuessed() {
    var index = RecordingIndex(exchanges: [get("https://a/x?cb=1&n=2", 0)])
    #expect(
      nearest(index.match(AskedRequest(method: "GET", url: "https://a/x?cb=9&n=3")))
        == "request 0 differs in query cb,n")
    #expect(nearest(index.match(AskedRequest(method: "GET", url: "https://b/"))) == "")
  }

  @Test(
    arguments: [
      ("ignore query cb,t", "https://a/x?cb=1&n=2&t=3", "https://a/x?n=2&cb=7", true),
      ("ignore query cb,t", "https://a/x?cb=1&n=2", "https://a/x?cb=7&n=3", false),
      ("ignore query *", "https://a/x?cb=1", "https://a/x?z=5", true),
      ("ignore query * on *.b", "https://a.b/x?cb=1", "https://a.b/x", true),
      ("ignore query * on *.b", "https://a.c/x?cb=1", "https://a.c/x", false),
    ])
  func rulesSayWhatDoesNotMatter(_ rule: String, _ recorded: String, _ asked: String, _ isFound: Bool) throws {
    var index = RecordingIndex(exchanges: [get(recorded, 0)], rules: try MatchRule.all(in: rule))
    #expect((place(index.match(AskedRequest(method: "GET", url: asked))) == 0) == isFound)
  }

  @Test(
    arguments: [
      ("ignore body", "anything", "else", true),
      ("ignore body field n", #"{"n":1,"m":2}"#, #"{"m":2,"n":5}"#, true),
      ("ignore body field u.id", #"{"u":{"id":1,"k":2}}"#, #"{"u":{"id":3,"k":2}}"#, true),
      ("ignore body field u.id", #"{"u":{"id":1,"k":2}}"#, #"{"u":{"id":1,"k":3}}"#, false),
      ("ignore body field ts", "a=1&ts=5", "a=1&ts=6", true), ("ignore body field ts", "a=1&ts=5", "a=2&ts=5", false),
    ])
  func fieldsOfBodiesAreLeftOut(_ rule: String, _ recorded: String, _ asked: String, _ isFound: Bool) throws {
    let content = Exchange.Content(digest: SHA256.of(recorded).hex, size: recorded.utf8.count, mimeType: "")
    let post = Exchange(
      index: 0, method: "POST", url: "https://a/x", requestBody: content, response: Exchange.Response(status: 200))
    var index = RecordingIndex(exchanges: [post], rules: [try MatchRule(parsing: rule)]) { _ in Array(recorded.utf8) }
    let request = AskedRequest(method: "POST", url: "https://a/x", body: Array(asked.utf8))
    #expect((place(index.match(request)) == 0) == isFound)
  }

  @Test(arguments: [
    "ignore", "ignore query", "ignore query a b", "ignore body field", "ignore header x", "ignore query a on",
    "keep query a",
  ])
  func aRuleThatIsNoneIsToldWithWhatMayStandThere(_ text: String) {
    #expect { try MatchRule(parsing: text) } throws: { ($0 as? Fault)?.code == "recording-rule-invalid" }
  }

  @Test func patternsHaveAStarForAnything() {
    #expect(
      Glob.matches("cdn.*", "CDN.example.com") && Glob.matches("*.example.*", "a.example.com") && Glob.matches("*", ""))
    #expect(!Glob.matches("cdn.*", "a.cdn.b") && !Glob.matches("a*b", "ac") && !Glob.matches("ab*ba", "aba"))
  }
}
