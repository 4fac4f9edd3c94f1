internal import CNats
package import Core

/// Subscription to the messages of subjects from now on, without a stream; messages aren't stored for absent
/// subscribers.
package final class Subscription: Sendable {
  private let nats: NatsConnection
  private let pointer: LibraryPointer

  /// Subscribes, and returns when the server has registered it.
  /// - Parameter group: name of a group whose members share messages: each message goes to one of them.
  package static func open(
    _ subject: String, group: String? = nil, on nats: NatsConnection
  ) async throws(Fault) -> Subscription {
    let subscription = try await nats.call { (nats) throws(Fault) in try Subscription(subject, group, nats) }
    try await nats.flush()
    return subscription
  }

  private init(_ subject: String, _ group: String?, _ nats: NatsConnection) throws(Fault) {
    var subscription: OpaquePointer?
    let status =
      if let group {
        natsConnection_QueueSubscribeSync(&subscription, nats.connection.pointer, subject, group)
      } else {
        natsConnection_SubscribeSync(&subscription, nats.connection.pointer, subject)
      }
    guard status == NATS_OK, let pointer = LibraryPointer(subscription) else {
      throw NatsFault.fault(status, "listen to \(subject)")
    }
    (self.nats, self.pointer) = (nats, pointer)
    // Who doesn't listen for long loses what was sent, not the connection.
    natsSubscription_SetPendingLimits(pointer.pointer, 10_000, 64_000_000)
  }

  deinit { natsSubscription_Destroy(pointer.pointer) }

  /// Returns the next message; nil if none comes within the time.
  package func next(within time: Duration) async throws(Fault) -> NatsMessage? {
    let end = ContinuousClock.now + time
    while true {
      let left = ContinuousClock.now.duration(to: end)
      let piece = min(left, .seconds(1))
      let message = try await nats.call { [self] (_) throws(Fault) in try blockingNext(within: piece) }
      if message != nil || left <= piece || Task.isCancelled { return message }
    }
  }

  /// Returns the next messages, at most `most`; none if none comes within the time, at most a second.
  package func next(_ most: Int, within time: Duration) async throws(Fault) -> [NatsMessage] {
    try await nats.call { [self] (_) throws(Fault) in
      try NatsMessage.gather(most, within: time) { (time) throws(Fault) in try blockingNext(within: time) }
    }
  }

  private func blockingNext(within time: Duration) throws(Fault) -> NatsMessage? {
    var message: OpaquePointer?
    let status = natsSubscription_NextMsg(&message, pointer.pointer, max(0, time.milliseconds))
    guard status != NATS_TIMEOUT, status != NATS_SLOW_CONSUMER else { return nil }
    try NatsFault.check(status, "listen")
    defer { natsMsg_Destroy(message) }
    return NatsMessage(reading: message)
  }
}
