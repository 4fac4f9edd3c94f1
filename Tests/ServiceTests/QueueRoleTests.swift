import Core
import Device
import Foundation
import NatsTestServer
import RenderModel
import TestFolders
import Testing

@testable import Cluster
@testable import Scheduling
@testable import Service

/// Workers and senders with the NATS permissions from `deploy/nats-roles.conf`.
@Suite(.timeLimit(.minutes(3))) struct QueueRoleTests {
  private let scratch: TestFolder
  private let nats: NatsTestServer

  init() async throws {
    scratch = try TestFolder()
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../deploy/nats-roles.conf")
    nats = try await NatsTestServer.start(String(contentsOf: file, encoding: .utf8))
  }

  private func settings(_ user: String) throws -> NatsSettings {
    var settings = try NatsSettings("nats://\(user):change-me-\(user)@127.0.0.1:\(nats.port)")
    settings.timeout = .seconds(5)
    return settings
  }

  private func worker(_ user: String) async throws -> WorkerClient {
    let caller = try QueueCaller(.worker, user: user, instance: "one")
    return WorkerClient(try await QueueClient.connect(ClusterSettings(try settings(user), holder: user), as: caller))
  }

  private func sender(_ user: String) async throws -> SenderClient {
    let caller = try QueueCaller(.sender, user: user, instance: "one")
    return SenderClient(try await QueueClient.connect(ClusterSettings(try settings(user), holder: user), as: caller))
  }

  private func file(_ name: String, _ count: Int) throws -> (path: String, bytes: [UInt8]) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ name.utf8.count) }
    try Data(bytes).write(to: URL(filePath: "\(scratch.path)/\(name)"))
    return ("\(scratch.path)/\(name)", bytes)
  }

  private func bytes(_ path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map(Array.init) ?? [] }

  private static let everything = Capabilities(["clock-virtual", "clock-real", "compositor", "film", "recorder"])

  @Test func aServedRenderGoesItsWholeWay() async throws {
    let server = try await BrokerUnderTest.start(try settings("server"), scratch)
    let creative = try file("creative", 700_001)
    let id = try await server.accept(creative.bytes, request: "{}")
    let worker = try await worker("worker-1")
    let grant = try #require(try await worker.lease(Self.everything, within: .seconds(5)))
    #expect(grant.job.id == id && grant.attempt == 1)
    try await worker.start(grant)
    #expect(try await server.store.render(id)?.status == .running)
    try await worker.fetch(.creative, of: grant, to: "\(scratch.path)/fetched")
    #expect(bytes("\(scratch.path)/fetched") == creative.bytes)
    try await worker.heartbeat(grant)
    let result = try file("result", 600_007)
    let receipt = try await worker.keep(file: result.path, of: grant)
    var outcome = JobResult(seconds: 5, attempts: 1)
    outcome.parts = []
    try await worker.end(grant, nil, result: outcome.text, files: receipt)
    // An answer that was lost is asked for again.
    try await worker.end(grant, nil, result: outcome.text, files: receipt)
    let row = try #require(try await server.store.render(id))
    #expect(row.status == .completed && row.parcel == receipt.sha256)
    #expect(await code { try await worker.heartbeat(grant) } == "lease-lost")
    await server.stop()
  }

  @Test func aBatchGoesItsWholeWay() async throws {
    let server = try await BrokerUnderTest.start(try settings("server"), scratch)
    let (sender, other) = (try await sender("sender-1"), try await sender("sender-2"))
    let creative = try file("creative", 300_000)
    let kept = try await sender.keep(file: creative.path)
    let (id, payload) = (RenderID.make(at: Instant.now), try Self.payload(kept.sha256))
    try await sender.enqueue(id: id, payload: payload, creative: kept)
    // Another sender sees nothing of it, and can do nothing about it.
    #expect(try await other.look(id) == nil)
    try await other.cancel(id)
    #expect(await code { try await other.fetchResult(of: id, to: "\(scratch.path)/no") } == "content-missing")
    #expect(
      await code { try await other.enqueue(id: id, payload: payload, creative: kept) } == "queue-request-forbidden")
    #expect(try await sender.look(id)?.status == .queued)
    let worker = try await worker("worker-1")
    let grant = try #require(try await worker.lease(Self.everything, within: .seconds(5)))
    try await worker.fetch(.creative, of: grant, to: "\(scratch.path)/fetched")
    #expect(bytes("\(scratch.path)/fetched") == creative.bytes)
    let result = try file("result", 5)
    let receipt = try await worker.keep(file: result.path, of: grant)
    try await worker.end(grant, nil, result: JobResult().text, files: receipt)
    #expect(try await sender.look(id)?.status == .completed)
    try await sender.fetchResult(of: id, to: "\(scratch.path)/home")
    #expect(bytes("\(scratch.path)/home") == result.bytes)
    await server.stop()
  }

  private static func payload(_ creative: String?) throws -> String {
    let job = RenderJob(
      id: 1, creative: CreativeReference(argument: "ad.html", path: nil, name: "ad"), output: "",
      device: .init(
        name: "phone", screen: .init(width: 390, height: 844), scale: 3, touch: true, userAgent: "agent",
        platform: "iPhone"),
      placement: .init(kind: .banner), limits: .init(timeout: 30))
    return JobPayload(batched: .init(job: job, creative: creative, file: "ad.html")).text ?? ""
  }

  /// Shows leases and receipts of other workers, which are refused and change nothing.
  @Test func aWorkerSpeaksOfItsOwnJobsOnly() async throws {
    let server = try await BrokerUnderTest.start(try settings("server"), scratch)
    let id = try await server.accept([1, 2, 3], request: "{}")
    let (worker, thief) = (try await worker("worker-1"), try await worker("worker-2"))
    let grant = try #require(try await worker.lease(Self.everything, within: .seconds(5)))
    #expect(try await thief.lease(Self.everything, within: .zero) == nil)
    for body in [
      { try await thief.heartbeat(grant) }, { try await thief.start(grant) }, { try await thief.release(grant) },
      { try await thief.release(grant, counts: true) }, { _ = try await thief.died(grant, "a lie") },
      { try await thief.end(grant, nil, result: "{}", files: nil) },
      { try await thief.fetch(.creative, of: grant, to: "\(scratch.path)/no") },
    ] as [() async throws -> Void] {
      #expect(await code(of: body) == "lease-lost")
    }
    let mine = try file("mine", 10)
    #expect(await code { _ = try await thief.keep(file: mine.path, of: grant) } == "queue-request-forbidden")
    // A receipt is its user's own, and counts for the files that it names.
    let receipt = try await worker.keep(file: mine.path, of: grant)
    var forged = FileReceipt(sha256: String(repeating: "a", count: 64), size: 10, proof: receipt.proof)
    #expect(await code { try await worker.end(grant, nil, result: "{}", files: forged) } == "queue-request-forbidden")
    forged.proof = ""
    #expect(await code { try await worker.end(grant, nil, result: "{}", files: forged) } == "queue-request-forbidden")
    #expect(try await server.store.render(id)?.status != .completed)
    #expect(try await server.parts.cluster.queue.record(id)?.status == .running)
    try await worker.end(grant, .creative("x", "y"), result: #"{"summary":"{}"}"#, files: receipt)
    #expect(try await server.store.render(id)?.status == .failed)
    await server.stop()
  }

  /// Tries to read and write the queue itself with the rights of a worker or a sender.
  @Test(arguments: ["worker-1", "sender-1"]) func nothingElseIsPermitted(user: String) async throws {
    let server = try await BrokerUnderTest.start(try settings("server"), scratch)
    let id = try await server.accept([1], request: "{}")
    let before = await server.parts.replica.refused
    var own = try settings(user)
    own.inbox = "galley.reply.\(user.prefix(6)).\(user).x"
    let forger = try await NatsConnection.connect(own)
    for subject in [
      "galley.journal", "galley.jobs.normal.v1", "galley.ended", "$KV.galley-renders.\(id)", "$KV.galley-facts.cluster",
      "$O.galley-contents.M.x", "$JS.API.STREAM.DELETE.galley-journal", "$JS.API.STREAM.PURGE.galley-jobs",
      "$JS.API.STREAM.MSG.GET.KV_galley-renders", "$JS.API.DIRECT.GET.KV_galley-renders.$KV.galley-renders.\(id)",
      "$JS.API.CONSUMER.CREATE.galley-jobs", "$JS.ACK.galley-jobs.x.1.1.1.1.0", "galley.ask.worker.worker-2.one",
      "galley.ask.sender.sender-2.one", "galley.notice.cancelled.\(id)", "galley.wake",
      "galley.reply.worker.worker-2.x",
    ] {
      try await forger.send(NatsMessage(subject, "{}"))
      #expect(
        await code { _ = try await forger.request(NatsMessage(subject, "{}"), timeout: .milliseconds(100)) } != nil)
    }
    try await forger.flush()
    try await server.parts.replica.catchUp()
    #expect(await server.parts.replica.refused == before)
    #expect(try await server.store.render(id)?.status == .queued)
    #expect(try await server.parts.cluster.queue.record(id)?.status == .queued)
    await server.stop()
  }
}

/// Returns the code of the fault that a call throws; nil if it throws none.
private func code(of body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? Fault)?.code ?? "\(error)"
  }
}
