import Core
import RenderModel
import Testing

@testable import Cluster

/// Behaviour of the queue as servers and workers see it.
@Suite struct QueueBehaviourTests {
  @Test func handsOutWhatWasAccepted() async throws {
    let test = try await QueueUnderTest.open()
    let job = QueuedJob.sample("a") { ($0.needs, $0.payload) = (["phone", "clock-virtual"], "{\"a\": \"ü\"}") }
    #expect(try await test.queue.enqueue(job, key: nil) == .accepted)
    #expect(try await test.queue.record("a")?.status == .queued)
    let lease = try #require(try await test.queue.next(["phone", "clock-virtual", "more"]))
    #expect((lease.job, lease.attempt) == (job, 1))
    #expect(try await test.queue.record("a")?.status == .running)
    try await test.queue.end(lease, result: "{}")
    let record = try #require(try await test.queue.record("a"))
    #expect((record.status, record.result, record.worker) == (.completed, "{}", "worker"))
    #expect(try await test.queue.next(["phone", "clock-virtual"], within: .zero) == nil)
    #expect(try await test.queue.record("b") == nil)
  }

  @Test func tellsWhyAJobFailed() async throws {
    let test = try await QueueUnderTest.open()
    try await test.queue.add("a")
    let lease = try #require(try await test.queue.next())
    try await test.queue.end(lease, .creative("zip-broken", "it is broken"), result: "r")
    let record = try #require(try await test.queue.record("a"))
    #expect((record.status, record.fault?.code, record.result) == (.failed, "zip-broken", "r"))
  }

  @Test func neverLeasesAJobToTwo() async throws {
    let test = try await QueueUnderTest.open()
    let ids = (10..<50).map { "job-\($0)" }
    for id in ids { try await test.queue.add(id) }
    let elsewhere = try await test.elsewhere
    let leased = try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<8 {
        group.addTask {
          let queue = number.isMultiple(of: 2) ? test.queue : elsewhere
          var mine: [String] = []
          while let lease = try await queue.next(within: .zero) {
            mine.append(lease.job.id)
            try await queue.end(lease, result: "")
          }
          return mine
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(leased.sorted() == ids)
  }

  @Test func handsOutAgainWhatIsHeldInSilence() async throws {
    let test = try await QueueUnderTest.open { $0.leaseTime = .seconds(3) }
    try await test.queue.add("a")
    let first = try #require(try await test.queue.next())
    #expect(try await test.queue.next(within: .zero) == nil)
    let second = try #require(try await test.elsewhere.next(within: .seconds(15)))
    #expect(second.job.id == "a")
    #expect(second.attempt == 2)
    #expect(second.revision > first.revision)
  }

  @Test func refusesWhatComesTooLate() async throws {
    let test = try await QueueUnderTest.open { $0.leaseTime = .seconds(3) }
    try await test.queue.add("a")
    let first = try #require(try await test.queue.next())
    let elsewhere = try await test.elsewhere
    let second = try #require(try await elsewhere.next(within: .seconds(15)))
    #expect(await code { try await test.queue.heartbeat(first) } == "lease-lost")
    #expect(await code { try await test.queue.end(first, result: "late") } == "lease-lost")
    #expect(await code { try await test.queue.release(first) } == "lease-lost")
    try await elsewhere.end(second, result: "right")
    #expect(await code { try await test.queue.end(first, result: "later") } == "lease-lost")
    #expect(try await test.queue.record("a")?.result == "right")
    #expect(try await test.queue.counts().stale == 3)
    #expect(try await elsewhere.counts().redelivered == 1)
    #expect(try await test.queue.next(within: .milliseconds(300)) == nil)
  }

  @Test func keepsALeaseThatIsSpokenOf() async throws {
    let test = try await QueueUnderTest.open { $0.leaseTime = .seconds(5) }
    try await test.queue.add("a")
    let lease = try #require(try await test.queue.next())
    let elsewhere = try await test.elsewhere
    for _ in 0..<14 {
      try await test.queue.heartbeat(lease)
      #expect(try await elsewhere.next(within: .milliseconds(400)) == nil)
    }
    try await test.queue.end(lease, result: "")
    #expect(try await test.queue.record("a")?.attempt == 1)
  }

  @Test func takesBackWhatIsReleasedAtOnce() async throws {
    let test = try await QueueUnderTest.open()
    try await test.queue.add("a")
    let elsewhere = try await test.elsewhere
    for _ in 0..<5 {
      let lease = try #require(try await elsewhere.next())
      #expect(lease.attempt == 1)
      try await elsewhere.release(lease)
      #expect(await code { try await elsewhere.end(lease, result: "") } == "lease-lost")
    }
    let begin = ContinuousClock.now
    async let waiting = test.queue.next()
    #expect(try await waiting?.attempt == 1)
    #expect(ContinuousClock.now - begin < .seconds(3))
  }

  @Test func wakesWhoWaits() async throws {
    let test = try await QueueUnderTest.open()
    let elsewhere = try await test.elsewhere
    async let waiting = elsewhere.next(within: .seconds(10))
    #expect(try await test.queue.next(within: .milliseconds(300)) == nil)
    try await test.queue.add("a")
    #expect(try await waiting?.job.id == "a")
  }

  @Test func goesByPriority() async throws {
    let test = try await QueueUnderTest.open()
    for (id, priority) in [("a", .low), ("b", .normal), ("c", .high), ("d", .high)] as [(String, QueuedJob.Priority)] {
      _ = try await test.queue.enqueue(.sample(id) { $0.priority = priority }, key: nil)
    }
    var order: [String] = []
    while let lease = try await test.queue.next(within: .zero) { order.append(lease.job.id) }
    #expect(order == ["c", "d", "b", "a"])
  }

  @Test func leavesWhatAWorkerCantDo() async throws {
    let test = try await QueueUnderTest.open()
    _ = try await test.queue.enqueue(.sample("a") { $0.needs = ["compositor", "phone"] }, key: nil)
    _ = try await test.queue.enqueue(.sample("b") { $0.schema = 2 }, key: nil)
    #expect(try await test.queue.next(["phone"], within: .milliseconds(200)) == nil)
    #expect(try await test.queue.next(["phone", "compositor"])?.job.id == "a")
    #expect(try await test.queue.next(["phone", "compositor"], within: .milliseconds(200)) == nil)
    #expect(try await test.queue.next(schemas: [1, 2])?.job.id == "b")
  }

  @Test func takesTheSameRequestOnce() async throws {
    let test = try await QueueUnderTest.open()
    let key = JobKey(owner: "me", key: "k 1", fingerprint: "f")
    #expect(try await test.queue.enqueue(.sample("a"), key: key) == .accepted)
    #expect(try await test.elsewhere.enqueue(.sample("b"), key: key) == .known(id: "a"))
    let yours = JobKey(owner: "you", key: "k 1", fingerprint: "f")
    #expect(try await test.queue.enqueue(.sample("c"), key: yours) == .accepted)
    let other = JobKey(owner: "me", key: "k 1", fingerprint: "g")
    #expect(await code { _ = try await test.queue.enqueue(.sample("d"), key: other) } == "idempotency-key-reused")
    #expect(try await test.queue.enqueue(.sample("a"), key: nil) == .known(id: "a"))
    let first = try #require(try await test.queue.next())
    try await test.queue.end(first, result: "")
    #expect(try await test.queue.enqueue(.sample("e"), key: key) == .known(id: "a"))
    #expect(try await test.queue.next()?.job.id == "c")
    #expect(try await test.queue.next(within: .milliseconds(200)) == nil)
  }

  @Test func twentyOfTheSameRequestTogetherAreOne() async throws {
    let test = try await QueueUnderTest.open()
    let (elsewhere, key) = (try await test.elsewhere, JobKey(owner: "me", key: "k", fingerprint: "f"))
    let found = try await withThrowingTaskGroup(of: JobAcceptance.self) { group in
      for number in 10..<30 {
        let queue = number.isMultiple(of: 2) ? test.queue : elsewhere
        group.addTask { try await queue.enqueue(.sample("job-\(number)"), key: key) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found.count { $0 == .accepted } == 1)
    let lease = try #require(try await test.queue.next())
    #expect(found.count { $0 == .known(id: lease.job.id) } == 19)
    try await test.queue.end(lease, result: "")
    #expect(try await test.queue.next(within: .milliseconds(200)) == nil)
  }

  @Test func saysThatItIsFullAndLosesNothing() async throws {
    let test = try await QueueUnderTest.open { $0.waiting = 3 }
    try await test.queue.add("a", "b", "c")
    let key = JobKey(owner: "me", key: "k", fingerprint: "f")
    #expect(await code { _ = try await test.queue.enqueue(.sample("d"), key: key) } == "queue-full")
    #expect(try await test.queue.record("d") == nil)
    for id in ["a", "b", "c"] {
      let lease = try #require(try await test.queue.next())
      #expect(lease.job.id == id)
      try await test.queue.end(lease, result: "")
    }
    #expect(try await test.queue.enqueue(.sample("d"), key: key) == .accepted)
    #expect(try await test.queue.next()?.job.id == "d")
  }

  @Test func losesNothingWhenThePlugIsPulled() async throws {
    let test = try await QueueUnderTest.open { $0.leaseTime = .seconds(4) }
    let ids = (10..<40).map { "job-\($0)" }
    for id in ids { try await test.queue.add(id) }
    let done = try #require(try await test.queue.next())
    try await test.queue.end(done, result: "kept")
    let held = try #require(try await test.queue.next())
    try await test.pullThePlug()
    #expect(try await test.queue.record(done.job.id)?.result == "kept")
    var leased: [String] = []
    while let lease = try await test.queue.next(within: leased.count == 29 ? .milliseconds(300) : .seconds(15)) {
      leased.append(lease.job.id)
      #expect(lease.attempt == (lease.job.id == held.job.id ? 2 : 1))
      try await test.queue.end(lease, result: "")
    }
    #expect(leased.sorted() == ids.filter { $0 != done.job.id })
  }

  @Test func givesUpAJobThatNeverEnds() async throws {
    let test = try await QueueUnderTest.open {
      ($0.leaseTime, $0.attempts, $0.losses) = (.milliseconds(300), 2, 9)
    }
    try await test.queue.add("a")
    for attempt in 1...2 { #expect(try await test.queue.next()?.attempt == attempt) }
    let record = try await end(of: "a", in: test.queue)
    #expect((record.status, record.fault?.code) == (.failed, "attempts-spent"))
    #expect(try await test.queue.counts().leased == 0)
  }

  @Test func quarantinesACreativeOnAllMachines() async throws {
    let test = try await QueueUnderTest.open { $0.losses = 2 }
    let elsewhere = try await test.elsewhere
    for id in ["a", "b", "c"] { _ = try await test.queue.enqueue(.sample(id) { $0.content = "bomb" }, key: nil) }
    try await test.queue.add("d")
    let first = try #require(try await elsewhere.next())
    #expect(try await elsewhere.losses.count("1", reason: "a worker died", of: "bomb").causes.count == 1)
    #expect(try await test.queue.losses.count("1", reason: "a worker died", of: "bomb").causes.count == 1)
    #expect(try await test.queue.losses.count("2", reason: "another died", of: "bomb").causes.count == 2)
    #expect(try await test.queue.next()?.job.id == "d")
    for id in ["b", "c"] {
      let record = try #require(try await test.queue.record(id))
      #expect((record.status, record.fault?.code) == (.quarantined, "creative-quarantined"))
      #expect(record.fault?.message.contains("another died") == true)
    }
    // Who holds it may still end it.
    try await elsewhere.end(first, result: "")
    try await elsewhere.losses.forget("bomb")
    _ = try await test.queue.enqueue(.sample("e") { $0.content = "bomb" }, key: nil)
    #expect(try await test.queue.next()?.job.id == "e")
  }

  @Test func countsSilenceAgainstTheCreative() async throws {
    let test = try await QueueUnderTest.open {
      ($0.leaseTime, $0.attempts, $0.losses) = (.milliseconds(300), 9, 3)
    }
    try await test.queue.add("a")
    for attempt in 1...3 { #expect(try await test.queue.next()?.attempt == attempt) }
    #expect(try await end(of: "a", in: test.queue).status == .quarantined)
  }

  /// Returns the final record of a job that may not be leased any more, after leases were attempted.
  private func end(of id: String, in queue: JetStreamQueue) async throws -> JobRecord {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      #expect(try await queue.next(within: .milliseconds(100)) == nil)
      if let record = try await queue.record(id), record.status.isFinal { return record }
    }
    throw Fault.deadline("nats-timed-out", "the job \(id) doesn't end")
  }

  @Test func cancelsWhatWaitsAndWhatRuns() async throws {
    let test = try await QueueUnderTest.open()
    try await test.queue.add("a", "b", "c")
    let lease = try #require(try await test.queue.next())
    #expect(try await test.elsewhere.cancel("a"))
    #expect(try await test.elsewhere.cancel("b"))
    #expect(try await test.queue.cancel("b") == false)
    #expect(try await test.queue.cancel("none") == false)
    #expect(await code { try await test.queue.heartbeat(lease) } == "lease-lost")
    #expect(await code { try await test.queue.end(lease, result: "") } == "lease-lost")
    #expect(try await test.queue.record("a")?.status == .cancelled)
    #expect(try await test.queue.next()?.job.id == "c")
  }

  @Test func countsWhatWaitsByKind() async throws {
    let test = try await QueueUnderTest.open()
    #expect(try await test.queue.counts() == QueueCounts())
    try await test.queue.add("a", "b")
    _ = try await test.queue.enqueue(.sample("c") { $0.needs = ["phone"] }, key: nil)
    _ = try await test.queue.next()
    let counts = try await test.elsewhere.counts()
    #expect(counts.waiting == [try #require(JobKind("v1")): 1, try #require(JobKind("v1+phone")): 1])
    #expect((counts.leased, counts.allWaiting) == (1, 2))
    #expect(counts.oldest != nil)
  }

  @Test func refusesWhatNoQueueCarries() async throws {
    let test = try await QueueUnderTest.open()
    for change: (inout QueuedJob) -> Void in [
      { $0.id = "a.b" }, { $0.id = "" }, { $0.id = String(repeating: "a", count: 65) }, { $0.needs = ["a.>"] },
      { $0.needs = ["A"] }, { $0.needs = Set((0..<9).map { "n\($0)" }) }, { $0.schema = 0 },
      { $0.payload = String(repeating: "a", count: 200_001) },
    ] {
      let job = QueuedJob.sample("a", change)
      #expect(await code { _ = try await test.queue.enqueue(job, key: nil) } == "job-invalid")
    }
    #expect(try await test.queue.counts().allWaiting == 0)
  }
}
