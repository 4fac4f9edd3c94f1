import Core
import Testing

@testable import Recordings

/// Ranges of videos that are requested differently than in the recording.
@Suite struct RangeAnswerTests {
  private func index(_ exchanges: [Exchange]) throws -> RecordingIndex { RecordingIndex(exchanges: exchanges) }

  private func film(_ index: Int, _ first: Int, _ count: Int, of total: Int, tag: String = "x") -> Exchange {
    Exchange(
      index: index, method: "GET", url: "https://a/film", requestHeaders: [.init("Range", "bytes=\(first)-")],
      response: .init(
        status: 206,
        headers: [.init("Content-Range", "bytes \(first)-\(first + count - 1)/\(total)"), .init("ETag", tag)],
        content: .init(digest: "\(index)", size: count, mimeType: "video/mp4")))
  }

  private func ask(_ range: String) -> AskedRequest {
    AskedRequest(method: "GET", url: "https://a/film", headers: [.init("range", range)])
  }

  @Test func aRangeIsPutTogether() throws {
    var index = try index([film(0, 0, 100, of: 300), film(1, 90, 110, of: 300), film(2, 250, 50, of: 300)])
    let found = index.range(for: ask("bytes=50-149"))
    let answer = try #require(found)
    #expect(answer.parts.map(\.content.digest) == ["0", "1"] && answer.parts.map(\.count) == [50, 50])
    #expect(answer.response.status == 206)
    #expect(answer.response.headers.first(named: "content-range") == "bytes 50-149/300")
    let last = index.range(for: ask("bytes=-50"))
    #expect(last?.parts == [.init(content: .init(digest: "2", size: 50, mimeType: "video/mp4"), offset: 0, count: 50)])
    #expect(index.unused.isEmpty)
  }

  @Test(arguments: [
    "bytes=150-260", "bytes=300-", "bytes=-0", "bytes=0-1,5-6", "bytes=9-1", "bytes=x-", "items=0-1", "bytes=0-",
  ])
  func aRangeThatIsNotAllThereIsMissing(_ range: String) throws {
    var index = try index([film(0, 0, 100, of: 300), film(1, 90, 110, of: 300), film(2, 250, 50, of: 300)])
    let found = index.range(for: ask(range))
    #expect(found == nil)
  }

  @Test func versionsOfAFileAreNotMixed() throws {
    var index = try index([film(0, 0, 100, of: 200, tag: "old"), film(1, 100, 100, of: 200, tag: "new")])
    let (mixed, new) = (index.range(for: ask("bytes=50-149")), index.range(for: ask("bytes=100-149")))
    #expect(mixed == nil && new?.parts.first?.offset == 0)
  }
}
