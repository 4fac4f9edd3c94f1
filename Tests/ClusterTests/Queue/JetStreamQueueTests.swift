import Core
import RenderModel
import Testing

@testable import Cluster

/// Behaviour of a queue on NATS beyond that of every queue.
@Suite struct JetStreamQueueTests {
  @Test func aSecondMessageOfOneJobIsDropped() async throws {
    let test = try await QueueUnderTest.open()
    let nats = try await test.connection()
    try await test.queue.add("a")
    let lease = try #require(try await test.queue.next())
    try await nats.publish(NatsMessage(test.names.subject(of: .sample("a")), "a"))
    #expect(try await test.queue.next(within: .milliseconds(300)) == nil)
    try await test.queue.end(lease, result: "right")
    #expect(try await test.queue.record("a")?.result == "right")
    #expect(try await nats.stateOfStream(test.names.stream).messages == 0)
  }

  @Test func aMessageWithoutAJobIsDropped() async throws {
    let test = try await QueueUnderTest.open()
    let nats = try await test.connection()
    try await nats.publish(NatsMessage(test.names.subject(of: .sample("a")), "a"))
    #expect(try await test.queue.next(within: .milliseconds(300)) == nil)
    try await nats.flush()
    #expect(try await nats.stateOfStream(test.names.stream).messages == 0)
  }

  @Test func whoDiedBeforeItsMessageWasOutIsMadeUpForByTheSameRequest() async throws {
    let test = try await QueueUnderTest.open()
    let nats = try await test.connection()
    let key = JobKey(owner: "me", key: "k", fingerprint: "f")
    #expect(try await test.queue.enqueue(.sample("a"), key: key) == .accepted)
    try await nats.removeMessage(1, of: test.names.stream)
    #expect(try await test.queue.next(within: .zero) == nil)
    // The window in which the server knows the message's id is over by then.
    var jobs = StreamSettings(test.names.stream, subjects: [test.names.allJobs])
    (jobs.retention, jobs.mostMessages, jobs.duplicates) = (.workQueue, 200, .milliseconds(100))
    try await nats.makeStream(jobs)
    let end = ContinuousClock.now + .seconds(60)
    var lease: Lease?
    while lease == nil, ContinuousClock.now < end {
      #expect(try await test.queue.enqueue(.sample("b"), key: key) == .known(id: "a"))
      lease = try await test.queue.next(within: .milliseconds(100))
    }
    #expect(lease?.job.id == "a")
  }

  /// Leases as in a cluster, where any server that stores a bucket may answer, and one may be behind.
  @Test func isLeasedWhereAServerThatIsBehindAnswers() async throws {
    let test = try await QueueUnderTest.open()
    let nats = try await test.connection()
    // It keeps the first that is written, and nothing after that.
    let behind = #"""
      {"name":"behind","storage":"file","retention":"limits","discard":"new","num_replicas":1,"max_msgs":1,
      "mirror":{"name":"KV_\#(test.names.records)"},"mirror_direct":true,"allow_direct":true}
      """#
    let made = try await nats.request(NatsMessage("$JS.API.STREAM.CREATE.behind", behind))
    #expect(!String(decoding: made.bytes, as: UTF8.self).contains("error"))
    try await test.queue.add("a")
    let records = try await KeyValueBucket.open(BucketSettings(test.names.records), on: nats)
    let first = try #require(try await records.get("a")).revision
    let end = ContinuousClock.now + .seconds(10)
    while try await nats.stateOfStream("behind").messages == 0, ContinuousClock.now < end { await Task.yield() }
    // Each lease and each release writes the record anew.
    var revision = first
    while try await records.glance("a")?.revision != first || revision == first, ContinuousClock.now < end {
      let lease = try #require(try await test.queue.next())
      #expect((lease.job.id, lease.attempt) == ("a", 1))
      try await test.queue.release(lease)
      revision = try #require(try await records.get("a")).revision
    }
    for _ in 0..<20 {
      let lease = try #require(try await test.queue.next())
      #expect((lease.job.id, lease.attempt) == ("a", 1))
      try await test.queue.release(lease)
    }
    let lease = try #require(try await test.queue.next())
    try await test.queue.end(lease, result: "right")
    #expect(try await test.queue.record("a")?.result == "right")
    #expect(ContinuousClock.now < end)
  }

  @Test func aJobWithoutAMessageIsLinedUpAgain() async throws {
    let test = try await QueueUnderTest.open()
    let nats = try await test.connection()
    let queue = test.queue
    try await queue.add("a")
    try await nats.removeMessage(1, of: test.names.stream)
    #expect(try await queue.next(within: .zero) == nil)
    #expect(try await queue.lineUpAgain("a"))
    #expect(try await queue.lineUpAgain("a") == false)
    let lease = try #require(try await queue.next())
    #expect((lease.job.id, lease.attempt) == ("a", 1))
    try await queue.end(lease, result: "right")
    #expect(try await nats.stateOfStream(test.names.stream).messages == 0)
  }

  @Test func aJobWhoseMessageIsSettledWithoutAnEndIsLinedUpAgain() async throws {
    let test = try await QueueUnderTest.open()
    let nats = try await test.connection()
    let queue = test.queue
    try await queue.add("a")
    let lost = try #require(try await queue.next())
    _ = try await nats.request(NatsMessage(lost.handle, "+ACK"))
    #expect(try await queue.lineUpAgain("a"))
    let lease = try #require(try await queue.next())
    #expect(lease.attempt == 2)
    #expect(await code { try await queue.end(lost, result: "late") } == "lease-lost")
    try await queue.end(lease, result: "right")
    #expect(try await queue.record("a")?.result == "right")
    #expect(try await queue.lineUpAgain("a") == false)
  }

  /// Texts that another client wrote in place of a job's record: each ends that job, and the next one is leased.
  @Test(arguments: [
    "nonsense", "{}", #"{"job":{"id":"../../x"}}"#,
    #"{"attempt":-5,"job":{"content":"","created":0,"id":"b","isServed":true,"needs":[],"owner":"","payload":"","priority":"normal","schema":1},"status":"queued","ticket":""}"#,
    #"{"attempt":0,"job":{"content":"","created":0,"id":"other","isServed":true,"needs":[],"owner":"","payload":"","priority":"normal","schema":1},"status":"queued","ticket":""}"#,
  ])
  func aRecordThatIsNoneIsFiledAsFailed(text: String) async throws {
    let test = try await QueueUnderTest.open()
    let nats = try await test.connection()
    let queue = test.queue
    for id in ["b", "c"] { try await queue.add(id) }
    try await nats.publish(NatsMessage("$KV.\(test.names.records).b", text))
    let lease = try #require(try await queue.next())
    #expect(lease.job.id == "c")
    let record = try #require(try await queue.record("b"))
    #expect((record.status, record.fault?.code) == (.failed, "job-unreadable"))
    #expect(try await queue.counts().unreadable == 1)
    #expect(try await queue.next(within: .zero) == nil)
  }

  @Test func aLeaseIsShownByItsTicketAndItsWorker() async throws {
    let test = try await QueueUnderTest.open()
    let queue = test.queue
    try await queue.add("a")
    let lease = try #require(try await queue.next())
    let worker = try #require(lease.record.worker)
    #expect(try await queue.held("a", ticket: lease.record.ticket, by: worker) == lease)
    for (id, ticket, name) in [
      ("a", "", worker), ("a", lease.record.ticket, "worker.other.x"), ("b", lease.record.ticket, worker),
      ("../a", lease.record.ticket, worker),
    ] {
      #expect(await code { _ = try await queue.held(id, ticket: ticket, by: name) } == "lease-lost")
    }
    try await queue.release(lease)
    #expect(await code { _ = try await queue.held("a", ticket: lease.record.ticket, by: worker) } == "lease-lost")
  }

  @Test func whatWaitsOrIsHeldIsNotLinedUpTwice() async throws {
    let test = try await QueueUnderTest.open()
    let nats = try await test.connection()
    let queue = test.queue
    for id in ["a", "b", "c"] { try await queue.add(id) }
    let lease = try #require(try await queue.next())
    for id in ["a", "b", "c", "nobody"] { #expect(try await queue.lineUpAgain(id) == false, "\(id)") }
    try await queue.release(lease)
    for id in ["a", "b", "c"] { #expect(try await queue.lineUpAgain(id) == false, "\(id)") }
    #expect(try await nats.stateOfStream(test.names.stream).messages == 3)
  }

  @Test func aServerThatIsAwayForAMomentCostsNothing() async throws {
    let test = try await QueueUnderTest.open()
    try await test.queue.add("a")
    let lease = try #require(try await test.queue.next())
    let queue = test.queue
    try await test.pullThePlug()
    // The same connection comes back by itself, and the lease is still its holder's.
    try await queue.heartbeat(lease)
    try await queue.end(lease, result: "kept")
    #expect(try await test.queue.record("a")?.result == "kept")
  }

  @Test func namesCantBeMistaken() throws {
    let names = QueueNames("g")
    let job = QueuedJob.sample("a") { ($0.priority, $0.needs, $0.schema) = (.high, ["phone", "clock-virtual"], 3) }
    let subject = names.subject(of: job)
    #expect(subject == "g.jobs.high.v3+clock-virtual+phone")
    #expect(names.kind(of: subject) == JobKind(of: job))
    #expect(names.kind(of: subject, .low) == nil)
    for other in ["g.jobs.high", "g.jobs.high.x", "g.jobs.high.va", "g.jobs.high.v1.v2"] {
      #expect(names.kind(of: other) == nil, "\(other)")
    }
    #expect(names.consumer(of: subject).count == 32)
  }
}
