import Core
import Foundation
import RenderModel
import Testing

@testable import Cluster

/// The steps of a job, without anything that keeps it.
@Suite struct JobRecordTests {
  private let bounds = QueueBounds()

  private func leased(_ record: JobRecord, _ sequence: UInt64? = nil) throws -> JobRecord {
    let turn = record.turn(for: "w", ticket: "t", losses: nil, bounds: bounds, sequence: sequence)
    guard case .lease(let next) = turn else { throw Fault.engine("nats-failed", "\(turn)") }
    return next
  }

  @Test func countsAttemptsButThoseThatWereReleased() throws {
    var record = JobRecord(.sample("a"), ticket: "")
    for attempt in 1...3 {
      record = try leased(record)
      #expect((record.attempt, record.status, record.cause) == (attempt, .running, "a-\(attempt)"))
      #expect(try leased(record.released()).attempt == attempt)
      record = record.requeued()
      #expect((record.status, record.attempt) == (.queued, attempt))
    }
    guard case .end(let last) = record.turn(for: "w", ticket: "t", losses: nil, bounds: bounds) else {
      Issue.record("a fourth attempt is begun")
      return
    }
    #expect((last.status, last.fault?.code, last.attempt) == (.failed, "attempts-spent", 3))
  }

  @Test func endsOnceItWasGivenBackTooOften() throws {
    var record = JobRecord(.sample("a"), ticket: "")
    for _ in 0..<bounds.returns { record = try leased(record).released() }
    #expect((record.attempt, record.returns) == (0, bounds.returns))
    guard case .end(let last) = record.turn(for: "w", ticket: "t", losses: nil, bounds: bounds) else {
      Issue.record("it is begun once more")
      return
    }
    #expect((last.status, last.fault?.code) == (.failed, "attempts-spent"))
  }

  @Test func anAttemptThatCountsEndsItWithTheOthers() throws {
    var record = JobRecord(.sample("a"), ticket: "")
    for attempt in 1...bounds.attempts {
      record = try leased(record)
      #expect(record.attempt == attempt)
      record = record.released(counts: true)
    }
    guard case .end(let last) = record.turn(for: "w", ticket: "t", losses: nil, bounds: bounds) else {
      Issue.record("it is begun once more")
      return
    }
    #expect(last.fault?.code == "attempts-spent")
  }

  @Test func isDroppedOnceItHasEnded() throws {
    let record = try leased(JobRecord(.sample("a"), ticket: ""))
    for ended in [
      record.cancelled(), record.ended(nil, result: ""), record.ended(.engine("x-y", ""), result: nil),
    ] {
      #expect(ended.status.isFinal)
      #expect(ended.turn(for: "w", ticket: "t", losses: nil, bounds: bounds) == .drop)
    }
  }

  @Test func goesByTheFirstMessageThatStoodForIt() throws {
    let record = try leased(JobRecord(.sample("a"), ticket: ""), 7)
    #expect(record.turn(for: "w", ticket: "t", losses: nil, bounds: bounds, sequence: 8) == .drop)
    #expect(try leased(record, 7).attempt == 2)
  }

  @Test(arguments: [(QueuedJob.Completion.byServer, true), (.bySender, false)])
  func storesWhoCompletesAJobAsAFlag(_ completion: QueuedJob.Completion, _ isServed: Bool) throws {
    var job = QueuedJob.sample("a")
    job.completion = completion
    let bytes = try JSONText.bytes(job)
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"isServed\":\(isServed)"))
    #expect(try JSONDecoder().decode(QueuedJob.self, from: Data(bytes)) == job)
  }

  @Test func countsACauseOnce() {
    var losses = Losses()
    for cause in ["1", "1", "2"] { losses.add(cause, "reason \(cause)") }
    #expect((losses.causes, losses.reason) == (["1", "2"], "reason 2"))
    for cause in 0..<100 { losses.add("c\(cause)", "") }
    #expect(losses.causes.count == 20)
  }

  @Test(arguments: ["v1", "v12+a", "v1+clock-virtual+phone"]) func kindsAreReadAsWritten(_ text: String) throws {
    #expect(try #require(JobKind(text)).text == text)
  }

  @Test(arguments: ["", "1", "v", "a+v1"]) func refusesWhatIsNoKind(_ text: String) { #expect(JobKind(text) == nil) }
}
