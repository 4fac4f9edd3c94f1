import Core
import Device
import Foundation
import NatsTestServer
import RenderModel
import Synchronization
import TestFolders
import Testing
import Workers

@testable import Cluster
@testable import Service

@Suite(.timeLimit(.minutes(2))) struct BatchSenderTests {
  private let scratch: TestFolder
  private let nats: NatsTestServer

  init() async throws {
    scratch = try TestFolder()
    nats = try await NatsTestServer.start()
  }

  private func job(_ id: Int) -> RenderJob {
    RenderJob(
      id: id, creative: CreativeReference(argument: "https://ads.test/\(id)", path: nil, name: "ad \(id)"),
      output: "\(scratch.path)/out/\(id)",
      device: Device(
        name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "agent",
        platform: "iPhone"),
      placement: Placement(kind: .banner), limits: Limits(timeout: 30))
  }

  /// Ends a batch whose queue is gone: each of its renders ends with a report at its usual place.
  @Test func aQueueThatIsGoneEndsTheBatch() async throws {
    var settings = try NatsSettings(nats.address)
    settings.timeout = .milliseconds(300)
    let ended = Mutex<[Int: RenderRecord]>([:])
    let server = try await BrokerUnderTest.start(settings, scratch)
    let caller = try QueueCaller(.sender, user: "sender", instance: "laptop")
    let client = try await QueueClient.connect(ClusterSettings(settings, holder: "laptop"), as: caller)
    let sender = try BatchSender(SenderClient(client), scratch: "\(scratch.path)/send", patience: .seconds(1)) {
      message in
      if case .finished(let job, let record) = message { ended.withLock { $0[job] = record } }
    }
    for id in 1...3 { await sender.send(job(id)) }
    await sender.close()
    #expect(ended.withLock { $0.isEmpty })
    nats.kill()
    await sender.run()
    await server.stop()
    let records = ended.withLock { $0 }
    #expect(records.keys.sorted() == [1, 2, 3])
    for (id, record) in records {
      #expect(record.outcome == .failed && record.code == "nats-unreachable", "\(id)")
      let kept = try ResultFolder("\(scratch.path)/out/\(id)").record()
      #expect(kept.code == record.code && kept.message == record.message)
    }
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/send"))
  }
}
