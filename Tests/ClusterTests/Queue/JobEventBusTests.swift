import Core
import Testing

@testable import Cluster

/// Listeners of a topic receive its notices and no others, in order.
@Suite struct NoticeBoardTests {
  private static let posted: [(String, JobEvent)] = [
    ("one", .started(attempt: 2)), ("two", .cancelled), ("one", .phase("loading")),
    ("one", .retrying(reason: "it died")),
    ("three", .ended), ("four", .cancelled), ("one", .ended),
  ]

  @Test(arguments: [
    (JobEvent.Topic.progress, ["one", "one", "one"]), (.cancelled, ["two", "four"]), (.ended, ["three", "one"]),
    (nil, ["one", "two", "one", "one", "three", "four", "one"]),
  ])
  func topics(_ topic: JobEvent.Topic?, _ ids: [String]) async throws {
    let test = try await QueueUnderTest.open()
    let board = JobEventBus(try await test.connection(), test.names)
    let reader = try await board.listen(to: topic)
    for (id, notice) in Self.posted { await board.post(notice, of: id) }
    var heard: [String] = []
    while heard.count < ids.count {
      let notices = try await reader.next()
      try #require(!notices.isEmpty)
      for (id, notice) in notices {
        #expect(topic == nil || notice.topic == topic)
        #expect(Self.posted.contains { $0 == (id, notice) })
        heard.append(id)
      }
    }
    #expect(heard == ids)
    #expect(try await reader.next().isEmpty)
  }

  /// Follows some jobs without work for the others.
  @Test func jobsOfOnesOwn() async throws {
    let test = try await QueueUnderTest.open()
    let board = JobEventBus(try await test.connection(), test.names)
    let reader = try await board.listen(to: nil)
    for (id, notice) in Self.posted { await board.post(notice, of: id) }
    var heard: [String] = []
    for _ in 1...20 where heard.count < 2 {
      heard += try await reader.next { ["two", "three"].contains($0) }.map(\.id)
    }
    #expect(heard == ["two", "three"])
  }
}
