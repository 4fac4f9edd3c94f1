internal import CNats
package import Core

/// Settings for the delivery of messages by a consumer.
package struct ConsumerSettings: Hashable, Sendable {
  package var name: String
  /// Subjects of the delivered messages; nil for all.
  package var filter: String?
  /// Time without an acknowledgement or extension after which a message is delivered again.
  package var acknowledgeWithin = Duration.seconds(30)
  /// Maximum number of deliveries of a message; nil for no limit.
  package var mostDeliveries: Int?
  /// Maximum number of unacknowledged messages of all clients together.
  package var mostHeld = 100_000

  package init(_ name: String, filter: String? = nil) { (self.name, self.filter) = (name, filter) }
}

/// Progress of a consumer.
package struct ConsumerState: Hashable, Sendable {
  /// Messages that were never delivered.
  package var waiting: UInt64
  /// Messages that were delivered and not acknowledged.
  package var held: Int64
  /// Unacknowledged messages that were delivered more than once.
  package var redelivered: Int64
  /// Latest place in the stream that was delivered.
  package var lastDelivered: UInt64
  /// Latest place up to which all messages are acknowledged, so that none of them is delivered again.
  package var lastSettled: UInt64
}

/// Durable consumer to fetch messages from; any number of clients share it.
package struct PullConsumer: Sendable {
  private let nats: NatsConnection
  package let stream: String
  package let settings: ConsumerSettings

  /// Opens the consumer, and creates it if it doesn't exist.
  package static func open(
    _ settings: ConsumerSettings, of stream: String, on nats: NatsConnection
  ) async throws(Fault) -> PullConsumer {
    try await nats.call { (nats) throws(Fault) in try make(settings, of: stream, on: nats) }
    return PullConsumer(nats: nats, stream: stream, settings: settings)
  }

  private static func make(
    _ settings: ConsumerSettings, of stream: String, on nats: NatsConnection
  ) throws(Fault) {
    try CTexts.use { (texts) throws(Fault) in
      var configuration = jsConsumerConfig()
      jsConsumerConfig_Init(&configuration)
      configuration.Durable = texts.text(settings.name)
      configuration.FilterSubject = texts.text(settings.filter)
      configuration.AckPolicy = js_AckExplicit
      configuration.AckWait = settings.acknowledgeWithin.nanoseconds
      configuration.MaxDeliver = Int64(settings.mostDeliveries ?? -1)
      configuration.MaxAckPending = Int64(settings.mostHeld)
      var code = jsErrCode(0)
      var waits = nats.waits
      let status = js_AddConsumer(nil, nats.stream.pointer, stream, &configuration, &waits, &code)
      try NatsFault.check(status, "make the consumer \(settings.name) of \(stream)", code: code)
    }
  }

  /// Fetches at most `most` messages; none if there are none within the time, or at once if that is zero.
  package func fetch(_ most: Int, within time: Duration) async throws(Fault) -> [Delivery] {
    var fetched: [Delivery] = []
    let end = ContinuousClock.now + time
    while fetched.count < most {
      // A wait in pieces, so that whoever is cancelled is through soon; once there is one nobody waits for another.
      let left = fetched.isEmpty ? ContinuousClock.now.duration(to: end) : .zero
      let piece = min(max(left, .zero), .seconds(1))
      if let delivery = try await next(within: piece) {
        fetched.append(delivery)
      } else if left <= piece || Task.isCancelled {
        break
      }
    }
    return fetched
  }

  /// Asks for one message.
  ///
  /// Servers of version 2.9 don't answer some requests with `no_wait` when several arrive together, and sometimes a
  /// request that expires before its turn. The library's own fetch doesn't wait for the answer to `no_wait`.
  private func next(within time: Duration) async throws(Fault) -> Delivery? {
    let expires = max(time, .milliseconds(50))
    let request = "{\"batch\": 1, \"expires\": \(expires.nanoseconds)}"
    let question = NatsMessage("$JS.API.CONSUMER.MSG.NEXT.\(stream).\(settings.name)", request)
    let reply: NatsMessage
    do throws(Fault) {
      reply = try await nats.call { (nats) throws(Fault) in
        try nats.blockingAsk(question, timeout: expires + min(nats.settings.timeout, .seconds(1)))
      }
    } catch let error where error.has(.natsTimedOut) && nats.isConnected {
      return nil
    } catch {
      throw Fault(error.origin, error.code, "can't fetch from \(settings.name) of \(stream): \(error.message)")
    }
    if let delivery = Delivery(reply, from: nats) { return delivery }
    // No messages, a time that is over, or a request that the server gave up.
    let status = reply.headers["Status"] ?? ""
    if status == "503" {
      throw .engine(.natsUnavailable, "no server provides the consumer \(settings.name) of \(stream)")
    }
    guard ["404", "408", "409"].contains(status) else {
      throw .engine(.natsFailed, "can't fetch from \(settings.name) of \(stream): \(status)")
    }
    return nil
  }

  /// Returns the progress of the consumer, for all clients that share it.
  package func state() async throws(Fault) -> ConsumerState {
    try await nats.call { (nats) throws(Fault) in
      var info: UnsafeMutablePointer<jsConsumerInfo>?
      var code = jsErrCode(0)
      var waits = nats.waits
      let status = js_GetConsumerInfo(&info, nats.stream.pointer, stream, settings.name, &waits, &code)
      try NatsFault.check(status, "look at the consumer \(settings.name) of \(stream)", code: code)
      defer { jsConsumerInfo_Destroy(info) }
      guard let state = info?.pointee else { throw .engine(.natsFailed, "\(settings.name) has no state") }
      return ConsumerState(
        waiting: state.NumPending, held: state.NumAckPending, redelivered: state.NumRedelivered,
        lastDelivered: state.Delivered.Stream, lastSettled: state.AckFloor.Stream)
    }
  }
}

/// Message that was delivered and has to be acknowledged.
package struct Delivery: Sendable {
  package let message: NatsMessage
  /// Place in the stream.
  package let sequence: UInt64
  /// Number of deliveries, this one included.
  package let count: Int
  private let nats: NatsConnection

  /// Reads the delivery's details from the reply subject; nil for a message that no stream delivered.
  init?(_ message: NatsMessage, from nats: NatsConnection) {
    // $JS.ACK[.domain.account].stream.consumer.count.sequence.place.nanoseconds.pending[.token]
    let words = (message.reply ?? "").split(separator: ".")
    guard words.starts(with: ["$JS", "ACK"]), words.count == 9 || words.count >= 11 else { return nil }
    let facts = words.count == 9 ? words[4...] : words[6...]
    guard let count = Int(facts[facts.startIndex]), let sequence = UInt64(facts[facts.startIndex + 1]),
      let nanoseconds = Int64(facts[facts.startIndex + 3])
    else { return nil }
    var message = message
    (message.sequence, message.timestamp) = (sequence, nanoseconds / 1_000_000)
    (self.message, self.sequence, self.count, self.nats) = (message, sequence, count, nats)
  }

  /// Acknowledges the message, and waits for the server's confirmation.
  package func acknowledge() async throws(Fault) {
    guard let reply = message.reply else { return }
    _ = try await nats.request(NatsMessage(reply, "+ACK"))
  }

  /// Returns the message for another delivery after a delay.
  package func giveBack(after delay: Duration = .zero) async throws(Fault) {
    try await say(delay > .zero ? "-NAK {\"delay\": \(delay.nanoseconds)}" : "-NAK")
  }

  /// Drops the message, so that it isn't delivered again.
  package func terminate() async throws(Fault) { try await say("+TERM") }

  /// Restarts the time limit for the acknowledgement, since work on the message goes on.
  package func extend() async throws(Fault) { try await say("+WPI") }

  private func say(_ word: String) async throws(Fault) {
    guard let reply = message.reply else { return }
    try await nats.send(NatsMessage(reply, word))
  }
}
