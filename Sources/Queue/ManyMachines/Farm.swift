package import Core
internal import FoundationEssentials
package import JetStream

/// Everything that machines share by a queue on NATS.
package struct Farm: Sendable {
  package let nats: NatsConnection
  package let queue: JetStreamQueue
  package let contents: JetStreamContents
  package let journal: Journal
  package let notices: NoticeBoard
  package let locks: FarmLocks
  package let workers: WorkerCards
  private let facts: KeyValueBucket

  /// Connects, and makes what is missing on the servers.
  package static func open(_ settings: FarmSettings) async throws(Fault) -> Farm {
    let nats = try await NatsConnection.connect(settings.nats)
    // A cluster that has just begun hasn't chosen yet who leads.
    return try await Retrying.run { () throws(Fault) in try await join(settings, nats) }
  }

  private static func join(_ settings: FarmSettings, _ nats: NatsConnection) async throws(Fault) -> Farm {
    let names = QueueNames(settings.name)
    let replicas = settings.queue.replicas
    var facts = BucketSettings(names.facts)
    facts.replicas = replicas
    return Farm(
      nats: nats, queue: try await JetStreamQueue(nats, name: settings.name, settings: settings.queue),
      contents: try await JetStreamContents(nats, name: settings.name, replicas: replicas),
      journal: try await Journal(nats, names, replicas: replicas), notices: NoticeBoard(nats, names),
      locks: try await FarmLocks(nats, names, replicas: replicas, holder: settings.holder),
      workers: try await WorkerCards(nats, names, replicas: replicas),
      facts: try await KeyValueBucket.open(facts, on: nats))
  }

  /// What all machines have in common under a name: the first that asks decides what it is.
  package func fact(_ name: String, orElse make: @Sendable () throws(Fault) -> String) async throws(Fault) -> String {
    while true {
      if let known = try await fact(name) { return known }
      let text = try make()
      do throws(Fault) {
        try await Retrying.run { () throws(Fault) in _ = try await self.facts.create(name, Array(text.utf8)) }
        return text
      } catch where error.code == "nats-revision-differs" {
        continue
      }
    }
  }

  /// Replaces what all machines have in common under a name.
  package func setFact(_ name: String, _ text: String) async throws(Fault) {
    try await Retrying.run { () throws(Fault) in _ = try await self.facts.put(name, Array(text.utf8)) }
  }

  /// What is known under a name; nil for nothing.
  package func fact(_ name: String) async throws(Fault) -> String? {
    let known = try await Retrying.run { () throws(Fault) in try await self.facts.get(name) }
    return known?.bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  package func close() async { await queue.close() }
}

/// Where a queue is, and how it is kept.
package struct FarmSettings: Sendable {
  package var nats: NatsSettings
  /// Tells queues apart that share an account: letters, digits and hyphens.
  package var name = "galley"
  package var queue = JetStreamQueueSettings()
  /// What this machine is called where it holds something.
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
