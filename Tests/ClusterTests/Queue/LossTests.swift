import Core
import RenderModel
import Synchronization
import Testing

@testable import Cluster

/// Workers that die or come late while the queue loses power: every accepted job ends once.
@Suite struct LossTests {
  /// Endings that workers believe to have recorded, by job.
  private final class Endings: Sendable {
    private let all = Mutex<[String: [String]]>([:])

    func add(_ id: String, _ result: String) { all.withLock { $0[id, default: []].append(result) } }
    subscript(_ id: String) -> [String] { all.withLock { $0[id] ?? [] } }
    var count: Int { all.withLock { $0.count } }
  }

  @Test(.timeLimit(.minutes(3)))
  func everyJobEndsOnce() async throws {
    let test = try await QueueUnderTest.open {
      ($0.leaseTime, $0.attempts, $0.losses, $0.waiting) = (.seconds(1), 1000, 1000, 1000)
    }
    let ids = (100..<250).map { "job-\($0)" }
    let endings = Endings()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for id in ids {
          // Whoever hears nothing asks again by the same key.
          let key = JobKey(owner: "me", key: id, fingerprint: "f")
          while await code(of: { _ = try await test.queue.enqueue(.sample(id), key: key) }) != nil {
            try await Self.pause()
          }
        }
      }
      group.addTask { try await lookAfter(ids, of: test, endings) }
      for number in 0..<4 {
        group.addTask { await work(number, on: test, until: ids.count, endings) }
      }
      for part in 1...2 {
        while endings.count < ids.count * part / 3 { try await Task.sleep(for: .milliseconds(5)) }
        try await test.pullThePlug()
      }
      try await group.waitForAll()
    }
    for id in ids {
      let record = try #require(try await test.queue.record(id))
      #expect(record.status == .completed, "\(id)")
      // Exactly one worker was told that its result counts, and it is the one that is kept.
      #expect(endings[id] == [record.result], "\(id)")
    }
  }

  /// Pauses between two attempts, since a closed queue refuses at once and the task that reopens it needs a thread too.
  private static func pause() async throws { try await Task.sleep(for: .milliseconds(5)) }

  /// Indicates if a retry can't help.
  private static func isLast(_ code: String) -> Bool {
    ["lease-lost", "server-stopping", "store-failed"].contains(code)
  }

  /// Does the work of the leading server: repeats messages that a NATS server had only in its memory.
  private func lookAfter(_ ids: [String], of test: QueueUnderTest, _ endings: Endings) async throws {
    var (count, changed) = (0, ContinuousClock.now)
    while endings.count < ids.count {
      try await Task.sleep(for: .milliseconds(500))
      let queue = test.queue
      let open = ids.filter { endings[$0].isEmpty }
      for id in open { _ = try? await queue.lineUpAgain(id) }
      if endings.count > count { (count, changed) = (endings.count, .now) }
      guard changed.duration(to: .now) > .seconds(60) else { continue }
      for id in open { Issue.record("nothing ends \(id) any more: \(try await queue.describe(id))") }
      throw CancellationError()
    }
  }

  /// Takes jobs until all have ended: ends most, drops some silently, returns some, ends some twice.
  private func work(_ number: Int, on test: QueueUnderTest, until count: Int, _ endings: Endings) async {
    var round = 0
    while endings.count < count, !Task.isCancelled {
      let queue = test.queue
      guard let lease = try? await queue.next(within: .milliseconds(300)) else {
        try? await Self.pause()
        continue
      }
      round += 1
      let result = "\(number)-\(round)"
      switch (number + round) % 9 {
      case 0: break
      case 1: try? await queue.release(lease)
      case 2:
        try? await queue.heartbeat(lease)
        fallthrough
      default:
        // Without an answer the same result is told again.
        var last = await code { try await test.queue.end(lease, result: result) }
        while let reason = last, !Self.isLast(reason), (try? await Self.pause()) != nil {
          last = await code { try await test.queue.end(lease, result: result) }
        }
        if last == nil { endings.add(lease.job.id, result) }
      }
    }
  }
}

extension JetStreamQueue {
  /// Describes the state of a job, for the search for reasons why it doesn't end.
  fileprivate func describe(_ id: String) async throws -> String {
    guard let record = try await record(id) else { return "there is no record" }
    let counts = try await counts()
    return "\(record); \(counts)"
  }
}
