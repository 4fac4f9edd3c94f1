package import Core
internal import FoundationEssentials

/// Current workers of a queue; a worker that hasn't shown its card for 30 seconds is no longer listed.
package final class WorkerRegistry: Sendable {
  /// Interval at which a worker shows its card.
  package static let pause = Duration.seconds(8)
  /// Maximum number of cards that are read.
  private static let most = 2000
  private let bucket: KeyValueBucket

  init(_ nats: NatsConnection, _ names: QueueNames, replicas: Int) async throws(Fault) {
    var settings = BucketSettings(names.workers)
    (settings.age, settings.replicas) = (.seconds(30), replicas)
    bucket = try await KeyValueBucket.open(settings, on: nats)
  }

  package func show(_ card: WorkerHeartbeat) async throws(Fault) {
    guard let bytes = try? JSONText.bytes(card) else { return }
    try await bucket.put(card.name, bytes)
  }

  /// Removes the card of a worker that stops.
  package func remove(_ name: String) async { try? await bucket.remove(name) }

  /// Returns the cards of all workers; skips values that aren't cards.
  package func all() async throws(Fault) -> [WorkerHeartbeat] {
    var cards: [WorkerHeartbeat] = []
    for name in try await bucket.keys().prefix(Self.most) {
      guard let bytes = try await bucket.get(name)?.bytes, bytes.count < 10_000,
        let card = try? JSONDecoder().decode(WorkerHeartbeat.self, from: Data(bytes))
      else { continue }
      cards.append(card)
    }
    return cards
  }
}

/// Description of a worker, published by the worker.
package struct WorkerHeartbeat: Hashable, Sendable, Codable {
  /// Name of the worker: letters, digits and hyphens.
  package var name: String
  package var galley: String
  package var capabilities: [String]
  /// Number of renders that it can do at a time; `busy` is the number under way.
  package var slots: Int
  package var busy: Int
  /// Recent duration of a render in seconds; nil if it hasn't done one.
  package var seconds: Double?

  package init(name: String, galley: String, capabilities: [String], slots: Int, busy: Int, seconds: Double?) {
    (self.name, self.galley, self.capabilities) = (name, galley, capabilities)
    (self.slots, self.busy, self.seconds) = (slots, busy, seconds)
  }

  /// Returns the name of a worker's card.
  package static func name(of caller: QueueCaller) -> String { "\(caller.user)-\(caller.instance)" }

  /// Returns the card under the caller's own name, with its values limited to plausible ranges.
  package func bounded(as caller: QueueCaller) -> WorkerHeartbeat {
    let words = capabilities.prefix(32).filter { $0.utf8.count <= 40 }.map { $0.printable(limit: 40) }
    return WorkerHeartbeat(
      name: Self.name(of: caller), galley: galley.printable(limit: 40), capabilities: Array(words),
      slots: min(max(slots, 0), 256), busy: min(max(busy, 0), 256),
      seconds: seconds.flatMap { $0.isFinite ? min(max($0, 0), 86_400) : nil })
  }
}
