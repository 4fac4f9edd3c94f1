import Core
import Foundation
import TestFolders
import Testing

@testable import Recordings

@Suite struct RecordingEditTests {
  private let home: TestFolder
  private var place: String { home.path }

  init() throws { home = try TestFolder() }

  private func folder(_ name: String, _ urls: [String]) throws -> RecordingFolder {
    let folder = try RecordingFolder.create("\(place)/\(name)")
    for (index, url) in urls.enumerated() {
      let body = try folder.keep(Array("body of \(url)".utf8), mimeType: "text/plain")
      try folder.append(
        Exchange(
          index: index, method: "GET", url: url,
          requestHeaders: [Exchange.Header("Cookie", "id=7"), Exchange.Header("Referer", "https://a/?lat=52.5&x=1")],
          response: Exchange.Response(
            status: 200, headers: [Exchange.Header("Set-Cookie", "id=7")], content: body, wireSize: body.size,
            pieces: [Exchange.Piece(after: 1, size: body.size)])))
    }
    return folder
  }

  @Test func answersAreSetAndHostsLeftOut() throws {
    let folder = try folder("a", ["https://a.example/", "https://t.tracker.example/p", "https://a.example/2"])
    try RecordingEdit.set(status: 503, of: 0, in: folder)
    try RecordingEdit.set(body: Array("new".utf8), of: 2, in: folder)
    #expect(try RecordingEdit.drop(host: "*.tracker.example", from: folder) == 1)
    let exchanges = try folder.exchanges()
    #expect(exchanges.map(\.index) == [0, 1] && exchanges.map { $0.response?.status } == [503, 200])
    #expect(try folder.body(try #require(exchanges[1].response?.content), most: 9) == Array("new".utf8))
    #expect(exchanges[1].response?.pieces == nil && exchanges[1].response?.wireSize == 3)
    #expect { try RecordingEdit.set(status: 500, of: 9, in: folder) } throws: {
      ($0 as? Fault)?.code == "recording-entry-missing"
    }
  }

  @Test func whoAndWhereSomebodyIsIsTakenOut() throws {
    let folder = try folder("a", ["https://a.example/?lat=52.5&n=1&uid=9"])
    try Redaction(parameters: ["uid"]).apply(to: folder)
    let exchange = try #require(try folder.exchanges().first)
    #expect(exchange.url == "https://a.example/?lat=redacted&n=1&uid=redacted")
    #expect(exchange.requestHeaders.map(\.value) == ["id=redacted", "https://a/?lat=redacted&x=1"])
    #expect(exchange.response?.headers.map(\.value) == ["id=redacted"])
    // The creative asks for what was there, and is still answered.
    var index = try RecordingIndex(exchanges: folder.exchanges(), rules: folder.rules())
    guard case .found = index.match(AskedRequest(method: "GET", url: "https://a.example/?lat=48.1&n=1&uid=5")) else {
      Issue.record("a redacted recording doesn't answer")
      return
    }
  }

  @Test func twoAreJoinedWithTheirBodiesAndRules() throws {
    let (one, other) = (try folder("a", ["https://a/"]), try folder("b", ["https://b/"]))
    try other.write([try MatchRule(parsing: "ignore query t")])
    try RecordingEdit.add(other, to: one)
    let exchanges = try one.exchanges()
    #expect(exchanges.map(\.url) == ["https://a/", "https://b/"] && exchanges.map(\.index) == [0, 1])
    #expect(try one.body(try #require(exchanges[1].response?.content), most: 99) == Array("body of https://b/".utf8))
    #expect(try one.rules().map(\.text) == ["ignore query t"])
  }
}
