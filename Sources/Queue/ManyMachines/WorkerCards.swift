package import Core
internal import FoundationEssentials
internal import JetStream

/// Who renders for a queue right now; a worker that says nothing for half a minute is none any more.
package final class WorkerCards: Sendable {
  /// How often a worker says that it is there.
  package static let pause = Duration.seconds(8)
  /// Cards that are read at most.
  private static let most = 2000
  private let bucket: KeyValueBucket

  init(_ nats: NatsConnection, _ names: QueueNames, replicas: Int) async throws(Fault) {
    var settings = BucketSettings(names.workers)
    (settings.age, settings.replicas) = (.seconds(30), replicas)
    bucket = try await KeyValueBucket.open(settings, on: nats)
  }

  package func show(_ card: WorkerCard) async throws(Fault) {
    guard let bytes = try? JSONText.bytes(card) else { return }
    try await bucket.put(card.name, bytes)
  }

  /// Takes a worker's card away, as it stops.
  package func remove(_ name: String) async { try? await bucket.remove(name) }

  /// Everybody's; what is no card is passed over.
  package func all() async throws(Fault) -> [WorkerCard] {
    var cards: [WorkerCard] = []
    for name in try await bucket.keys().prefix(Self.most) {
      guard let bytes = try await bucket.get(name)?.bytes, bytes.count < 10_000,
        let card = try? JSONDecoder().decode(WorkerCard.self, from: Data(bytes))
      else { continue }
      cards.append(card)
    }
    return cards
  }
}

/// What a worker says of itself.
package struct WorkerCard: Hashable, Sendable, Codable {
  /// Letters, digits and hyphens.
  package var name: String
  package var galley: String
  package var capabilities: [String]
  /// Renders that it does at a time, and those that it is at.
  package var slots: Int
  package var busy: Int
  /// Seconds that a render took of late; nil when it hasn't done one.
  package var seconds: Double?

  package init(name: String, galley: String, capabilities: [String], slots: Int, busy: Int, seconds: Double?) {
    (self.name, self.galley, self.capabilities) = (name, galley, capabilities)
    (self.slots, self.busy, self.seconds) = (slots, busy, seconds)
  }
}
