import Core
import NatsTestServer
import Testing

@testable import Cluster

@Suite(.ownNatsServer) struct StreamTests {
  /// A stream of a test's own, and a subject in it.
  private func stream(
    _ nats: NatsConnection, _ change: (inout StreamSettings) -> Void = { _ in }
  ) async throws -> String {
    let name = NatsTestServer.unique("S")
    var settings = StreamSettings(name, subjects: ["\(name).>"])
    change(&settings)
    try await nats.makeStream(settings)
    return name
  }

  @Test func countsBySubject() async throws {
    let nats = try await connection()
    let name = try await stream(nats)
    for subject in ["a", "a", "b.c"] { try await nats.publish(NatsMessage("\(name).\(subject)", "x")) }
    let state = try await nats.stateOfStream(name, subjects: "\(name).>")
    #expect((state.messages, state.firstSequence, state.lastSequence) == (3, 1, 3))
    #expect(state.subjects == ["\(name).a": 2, "\(name).b.c": 1])
    #expect(try await nats.stateOfStream(name).subjects.isEmpty)
    #expect(try await nats.message(of: name, from: 2, subject: "\(name).a")?.sequence == 2)
    #expect(try await nats.message(of: name, from: 3, subject: "\(name).a") == nil)
  }

  @Test func takesNewSettings() async throws {
    let nats = try await connection()
    let name = try await stream(nats)
    try await nats.makeStream(StreamSettings(name, subjects: ["\(name).>"]))
    var other = StreamSettings(name, subjects: ["\(name).>"])
    other.mostMessages = 1
    try await nats.makeStream(other)
    try await nats.publish(NatsMessage("\(name).a"))
    #expect(await code { try await nats.publish(NatsMessage("\(name).a")) } == "nats-stream-full")
    #expect(try await nats.stateOfStream(name).messages == 1)
  }

  @Test func isMadeByManyAtOnce() async throws {
    let connections = try await connections(8)
    for _ in 1...100 {
      let name = NatsTestServer.unique("S")
      try await withThrowingTaskGroup { group in
        for nats in connections {
          group.addTask { try await nats.makeStream(StreamSettings(name, subjects: ["\(name).>"])) }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func isntMadeWhereAnotherHasItsSubjects() async throws {
    let nats = try await connection()
    let name = try await stream(nats)
    let other = StreamSettings(NatsTestServer.unique("S"), subjects: ["\(name).a"])
    #expect(await code { try await nats.makeStream(other) } == "nats-stream-differs")
  }

  @Test func refusesWhatIsTooManyBytes() async throws {
    let nats = try await connection()
    let name = try await stream(nats) { $0.mostBytes = 3000 }
    let message = NatsMessage("\(name).a", [UInt8](repeating: 0, count: 2000))
    try await nats.publish(message)
    #expect(await code { try await nats.publish(message) } == "nats-stream-full")
  }

  @Test func forgetsTheOldestWhereThatIsWanted() async throws {
    let nats = try await connection()
    let name = try await stream(nats) { ($0.mostMessages, $0.refusesWhenFull) = (1, false) }
    for _ in 0..<3 { try await nats.publish(NatsMessage("\(name).a")) }
    #expect(try await nats.stateOfStream(name).firstSequence == 3)
  }

  @Test func takesAnIdOnce() async throws {
    let nats = try await connection()
    let name = try await stream(nats)
    let message = NatsMessage("\(name).a")
    #expect(try await nats.publish(message, .init(id: "1")).isDuplicate == false)
    let again = try await nats.publish(message, .init(id: "1"))
    #expect((again.isDuplicate, again.sequence, again.stream) == (true, 1, name))
    #expect(try await nats.stateOfStream(name).messages == 1)
  }

  @Test func expectsWhatWasLast() async throws {
    let nats = try await connection()
    let name = try await stream(nats)
    try await nats.publish(NatsMessage("\(name).a"), .init(lastOfSubject: 0))
    let differs = "nats-revision-differs"
    #expect(await code { try await nats.publish(NatsMessage("\(name).a"), .init(lastOfSubject: 0)) } == differs)
    try await nats.publish(NatsMessage("\(name).b"), .init(lastSequence: 1, lastOfSubject: 0))
    #expect(await code { try await nats.publish(NatsMessage("\(name).b"), .init(lastSequence: 1)) } == differs)
    try await nats.publish(NatsMessage("\(name).a"), .init(lastOfSubject: 1))
  }

  @Test func saysWhatIsMissing() async throws {
    let nats = try await connection()
    #expect(await code { _ = try await nats.stateOfStream("NONE") } == "nats-stream-missing")
    #expect(await code { try await nats.publish(NatsMessage("no.stream.has")) } == "nats-unavailable")
    try await nats.removeStream("NONE")
    let name = try await stream(nats)
    try await nats.publish(NatsMessage("\(name).a"))
    try await nats.removeMessage(1, of: name)
    try await nats.removeMessage(1, of: name)
    #expect(try await nats.stateOfStream(name).messages == 0)
    try await nats.removeStream(name)
    #expect(await code { _ = try await nats.stateOfStream(name) } == "nats-stream-missing")
  }

  @Test func refusesSubjectsOfAnother() async throws {
    let nats = try await connection()
    let name = try await stream(nats)
    let other = StreamSettings(NatsTestServer.unique("S"), subjects: ["\(name).a"])
    #expect(await code { try await nats.makeStream(other) } == "nats-stream-differs")
  }

  @Test func handsEachMessageToOne() async throws {
    let (first, second) = (try await connection(), try await connection())
    let name = try await stream(first) { $0.retention = .workQueue }
    for number in 0..<50 { try await first.publish(NatsMessage("\(name).a", "\(number)")) }
    let settings = ConsumerSettings("all")
    let consumers = [
      try await PullConsumer.open(settings, of: name, on: first),
      try await PullConsumer.open(settings, of: name, on: second),
    ]
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for consumer in consumers + consumers {
        group.addTask {
          var mine: [String] = []
          while case let got = try await consumer.fetch(3, within: .zero), !got.isEmpty {
            for delivery in got {
              #expect(delivery.count == 1)
              mine.append(String(decoding: delivery.message.bytes, as: UTF8.self))
              try await delivery.acknowledge()
            }
          }
          return mine
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(found.sorted() == (0..<50).map { "\($0)" }.sorted())
    #expect(try await first.stateOfStream(name).messages == 0)
  }

  @Test func handsOutAgainWhatNobodyAcknowledged() async throws {
    let nats = try await connection()
    let name = try await stream(nats) { $0.retention = .workQueue }
    try await nats.publish(NatsMessage("\(name).a", "x"))
    var settings = ConsumerSettings("all")
    settings.acknowledgeWithin = .milliseconds(300)
    let consumer = try await PullConsumer.open(settings, of: name, on: nats)
    let first = try #require(try await consumer.fetch(1, within: .seconds(3)).first)
    #expect((first.count, first.sequence) == (1, 1))
    let state = ConsumerState(waiting: 0, held: 1, redelivered: 0, lastDelivered: 1, lastSettled: 0)
    #expect(try await consumer.state() == state)
    let second = try #require(try await consumer.fetch(1, within: .seconds(5)).first)
    #expect(second.count == 2)
    try await second.giveBack()
    let third = try #require(try await consumer.fetch(1, within: .seconds(3)).first)
    #expect(third.count == 3)
    try await third.extend()
    try await third.terminate()
    try await nats.flush()
    #expect(try await consumer.fetch(1, within: .milliseconds(500)).isEmpty)
  }

  @Test func keepsWhatIsExtended() async throws {
    let nats = try await connection()
    let name = try await stream(nats) { $0.retention = .workQueue }
    try await nats.publish(NatsMessage("\(name).a", "x"))
    var settings = ConsumerSettings("all")
    settings.acknowledgeWithin = .seconds(2)
    let consumer = try await PullConsumer.open(settings, of: name, on: nats)
    let held = try #require(try await consumer.fetch(1, within: .seconds(3)).first)
    var (before, last) = (ContinuousClock.now, ContinuousClock.now)
    for _ in 0..<15 {
      (before, last) = (last, ContinuousClock.now)
      try await held.extend()
      guard try await !consumer.fetch(1, within: .milliseconds(200)).isEmpty else { continue }
      // On a machine that is busy elsewhere the next word may be late: only then it comes again.
      return #expect(ContinuousClock.now - before >= .seconds(2))
    }
    try await held.acknowledge()
  }

  @Test func givesBackAfterAWhile() async throws {
    let nats = try await connection()
    let name = try await stream(nats)
    try await nats.publish(NatsMessage("\(name).a", "x"))
    let consumer = try await PullConsumer.open(ConsumerSettings("all"), of: name, on: nats)
    let held = try #require(try await consumer.fetch(1, within: .seconds(3)).first)
    let begin = ContinuousClock.now
    try await held.giveBack(after: .milliseconds(300))
    #expect(try await consumer.fetch(1, within: .seconds(5)).first?.count == 2)
    #expect(ContinuousClock.now - begin >= .milliseconds(290))
  }

  @Test func fetchesNoneAtOnceOrInTime() async throws {
    let nats = try await connection()
    let name = try await stream(nats)
    let consumer = try await PullConsumer.open(ConsumerSettings("all"), of: name, on: nats)
    let begin = ContinuousClock.now
    #expect(try await consumer.fetch(1, within: .zero).isEmpty)
    #expect(try await consumer.fetch(1, within: .milliseconds(200)).isEmpty)
    #expect(ContinuousClock.now - begin < .seconds(3))
  }

  @Test func takesOnlyWhatItsFilterTakes() async throws {
    let nats = try await connection()
    let name = try await stream(nats) { $0.retention = .workQueue }
    for subject in ["a", "b"] { try await nats.publish(NatsMessage("\(name).\(subject)", subject)) }
    let consumer = try await PullConsumer.open(ConsumerSettings("b", filter: "\(name).b"), of: name, on: nats)
    let fetched = try await consumer.fetch(10, within: .milliseconds(200))
    #expect(fetched.map(\.message.subject) == ["\(name).b"])
  }
}
