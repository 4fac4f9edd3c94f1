package import Core

/// Queue of ended jobs, each delivered to one server until that has processed it.
package final class CompletionQueue: Sendable {
  private let nats: NatsConnection
  private let names: QueueNames
  private let consumer: PullConsumer

  init(_ nats: NatsConnection, _ names: QueueNames, replicas: Int) async throws(Fault) {
    (self.nats, self.names) = (nats, names)
    var stream = StreamSettings(names.endings, subjects: [names.ended])
    (stream.retention, stream.replicas) = (.workQueue, replicas)
    try await nats.makeStream(stream, keepingOthers: true)
    var settings = ConsumerSettings("servers")
    settings.acknowledgeWithin = .seconds(60)
    consumer = try await PullConsumer.open(settings, of: names.endings, on: nats)
  }

  /// Adds an ended job; does nothing for a job that only its sender waits for.
  ///
  /// A job that is added twice within two minutes is added once.
  package func add(_ record: JobRecord) async throws(Fault) {
    guard record.job.completion == .byServer else { return }
    let message = NatsMessage(names.ended, record.job.id)
    _ = try await Retrying.run { () throws(Fault) in
      try await self.nats.publish(message, PublishConditions(id: "ended-\(record.job.id)"))
    }
  }

  /// Returns the next ended job; nil if there is none within the time.
  package func next(within time: Duration) async throws(Fault) -> CompletionDelivery? {
    guard let delivery = try await consumer.fetch(1, within: time).first else { return nil }
    let id = String(decoding: delivery.message.bytes.prefix(64), as: UTF8.self)
    return CompletionDelivery(id: id, delivery: delivery)
  }
}

/// Delivery of an ended job to a server, until that has processed it.
package struct CompletionDelivery: Sendable {
  package let id: String
  fileprivate let delivery: Delivery

  fileprivate init(id: String, delivery: Delivery) { (self.id, self.delivery) = (id, delivery) }

  /// Confirms that the ending is processed, so that no other server gets it.
  package func settle() async throws(Fault) { try await delivery.acknowledge() }

  /// Returns the ending to the queue, to be processed again after two seconds.
  package func giveBack() async { try? await delivery.giveBack(after: .seconds(2)) }
}
