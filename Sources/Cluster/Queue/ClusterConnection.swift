package import Core
internal import FoundationEssentials

/// Resources that machines share through a queue on NATS.
package struct ClusterConnection: Sendable {
  package let nats: NatsConnection
  package let queue: JetStreamQueue
  package let contents: JetStreamContents
  /// Files of batches and of their results, apart from everything that servers accepted.
  package let batchContents: JetStreamContents
  package let requests: RequestDoor
  package let journal: Journal
  package let notices: JobEventBus
  package let locks: ClusterLocks
  package let workers: WorkerRegistry
  private let facts: KeyValueBucket

  /// Connects, and creates the missing streams and buckets on the servers.
  package static func open(_ settings: ClusterSettings) async throws(Fault) -> ClusterConnection {
    let nats = try await NatsConnection.connect(settings.nats)
    // A cluster that has just begun hasn't chosen yet who leads.
    return try await Retrying.run { () throws(Fault) in try await join(settings, nats) }
  }

  private static func join(_ settings: ClusterSettings, _ nats: NatsConnection) async throws(Fault) -> ClusterConnection
  {
    let names = QueueNames(settings.name)
    let replicas = settings.queue.replicas
    var facts = BucketSettings(names.facts)
    facts.replicas = replicas
    return ClusterConnection(
      nats: nats, queue: try await JetStreamQueue(nats, name: settings.name, settings: settings.queue),
      contents: try await JetStreamContents(nats, name: settings.name, replicas: replicas),
      batchContents: try await JetStreamContents(nats, name: "\(settings.name)-batch", replicas: replicas),
      requests: RequestDoor(nats, names),
      journal: try await Journal(nats, names, replicas: replicas), notices: JobEventBus(nats, names),
      locks: try await ClusterLocks(nats, names, replicas: replicas, holder: settings.holder),
      workers: try await WorkerRegistry(nats, names, replicas: replicas),
      facts: try await KeyValueBucket.open(facts, on: nats))
  }

  /// Returns the value that all machines share under a name; the first caller creates it with `make`.
  package func fact(_ name: String, orElse make: @Sendable () throws(Fault) -> String) async throws(Fault) -> String {
    for _ in 0..<Retrying.mostWrites {
      if let known = try await fact(name) { return known }
      let text = try make()
      do throws(Fault) {
        try await Retrying.run { () throws(Fault) in _ = try await self.facts.create(name, Array(text.utf8)) }
        return text
      } catch let error where error.has(.natsRevisionDiffers) {
        continue
      }
    }
    throw Retrying.busy(name)
  }

  /// Replaces the value that all machines share under a name.
  package func setFact(_ name: String, _ text: String) async throws(Fault) {
    try await Retrying.run { () throws(Fault) in _ = try await self.facts.put(name, Array(text.utf8)) }
  }

  /// Returns the shared value under a name; nil if there is none.
  package func fact(_ name: String) async throws(Fault) -> String? {
    let known = try await Retrying.run { () throws(Fault) in try await self.facts.get(name) }
    return known?.bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  package func close() async { await queue.close() }
}

/// Address of a queue and settings for its storage.
package struct ClusterSettings: Sendable {
  package var nats: NatsSettings
  /// Name that distinguishes queues sharing an account: letters, digits and hyphens.
  package var name = "galley"
  package var queue = JetStreamQueueSettings()
  /// Name of this machine in the locks that it holds.
  package var holder: String

  package init(_ nats: NatsSettings, holder: String) {
    self.nats = nats
    self.holder = holder
    // Reading, listening and waiting for answers each take a thread.
    self.nats.width = 16
    // How many may wait is for servers to say.
    queue.bounds.waiting = 1_000_000
  }
}
