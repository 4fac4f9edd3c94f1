import Core
import Foundation
import Logging
import TestFolders

@testable import Cluster
@testable import Scheduling
@testable import Service
@testable import Telemetry

/// A server's side of a queue: what workers and senders ask, and the database it is written into.
struct BrokerUnderTest: Sendable {
  let parts: ClusterServices
  let store: Store
  let data: DataFolder
  private let work: Task<Void, Never>

  /// Starts one with a folder of its own; servers of one `key` belong together.
  static func start(
    _ nats: NatsSettings, _ scratch: TestFolder, key: UInt8 = 7, folder: String = "server"
  ) async throws -> BrokerUnderTest {
    var data = try DataFolder("\(scratch.path)/\(folder)")
    let store = try Store(folder: data.path, isCopy: true)
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let parts = try await ClusterServices.join(
      try await ClusterConnection.open(ClusterSettings(nats, holder: folder)),
      SigningKey(Array(repeating: key, count: 32)),
      store, &data,
      log: log)
    let (gauges, renderEvents) = (ServiceGauges(), RenderEvents())
    let outcomes = OutcomeWriter(
      store: store, base: nil, renderEvents: renderEvents, gauges: gauges, log: log, webhookIsDue: {})
    let endings = CompletionProcessor(
      cluster: parts.cluster, store: store, replica: parts.replica, shelf: parts.shelf,
      reviews: ReviewDesk.sample(store, data), outcomes: outcomes, gauges: gauges, log: log)
    let copy = data
    let broker = QueueBroker(
      cluster: parts.cluster, store: store, endings: endings, scratch: { copy.newScratch() }, key: parts.key,
      gauges: gauges, log: log)
    let work = Task {
      await withDiscardingTaskGroup { group in
        group.addTask { await parts.replica.run() }
        group.addTask { await broker.run() }
      }
    }
    return BrokerUnderTest(parts: parts, store: store, data: data, work: work)
  }

  func stop() async {
    work.cancel()
    await work.value
    await parts.cluster.close()
  }

  /// Accepts a render as servers do, with a creative of these bytes; returns its id.
  func accept(_ creative: [UInt8], request: String) async throws -> String {
    let id = RenderID.make(at: Instant.now)
    let file = data.newScratch()
    try Data(creative).write(to: URL(filePath: file))
    let content = try await parts.cluster.contents.put(file: file)
    var new = NewRender.sample(id, name: "ad")
    (new.content, new.file, new.request, new.deadline) = (content, "ad.html", request, Instant.now + 600_000)
    _ = try await store.accept(new)
    let served = JobPayload.Served(
      name: "ad", content: content, created: new.created, request: request, file: "ad.html",
      deadline: Instant.now + 600_000)
    var job = QueuedJob(
      id: id, owner: "a", content: content, payload: JobPayload(served: served).text ?? "", created: new.created)
    job.completion = .byServer
    _ = try await parts.cluster.queue.enqueue(job, key: nil)
    return id
  }
}
