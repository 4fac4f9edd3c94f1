internal import CNats
package import Core

/// How a consumer hands messages out.
package struct ConsumerSettings: Hashable, Sendable {
  package var name: String
  /// Only messages of such subjects; nil for all.
  package var filter: String?
  /// How long a message may be held without a word until somebody else gets it.
  package var acknowledgeWithin = Duration.seconds(30)
  /// How often a message is handed out; nil for as often as it takes.
  package var mostDeliveries: Int?
  /// Messages that may be held at a time by everybody together.
  package var mostHeld = 100_000

  package init(_ name: String, filter: String? = nil) { (self.name, self.filter) = (name, filter) }
}

/// How far a consumer is.
package struct ConsumerState: Hashable, Sendable {
  /// Messages that nobody was handed yet.
  package var waiting: UInt64
  /// Messages that were handed out and not acknowledged.
  package var held: Int64
  /// Those of them that were handed out more than once.
  package var redelivered: Int64
  /// The latest place in the stream that was handed out.
  package var lastDelivered: UInt64
  /// The latest place through which everything was acknowledged: nothing up to it is handed out any more.
  package var lastSettled: UInt64
}

/// A durable consumer that messages are fetched from; any number of clients share it.
package struct PullConsumer: Sendable {
  private let nats: NatsConnection
  package let stream: String
  package let settings: ConsumerSettings

  /// Makes the consumer unless it is there.
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

  /// Fetches up to so many messages; none when there are none within the time, or at once where that is zero.
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
  /// Servers of 2.9 leave some requests with `no_wait` without an answer when several come together, and now and then one
  /// that is over before its turn comes. The library's own way to fetch doesn't wait for the answer to `no_wait`.
  private func next(within time: Duration) async throws(Fault) -> Delivery? {
    let expires = max(time, .milliseconds(50))
    let request = "{\"batch\": 1, \"expires\": \(expires.nanoseconds)}"
    let question = NatsMessage("$JS.API.CONSUMER.MSG.NEXT.\(stream).\(settings.name)", request)
    let reply: NatsMessage
    do throws(Fault) {
      reply = try await nats.call { (nats) throws(Fault) in
        try nats.blockingAsk(question, timeout: expires + min(nats.settings.timeout, .seconds(1)))
      }
    } catch where error.code == "nats-timed-out" && nats.isConnected {
      return nil
    } catch {
      throw Fault(error.origin, error.code, "can't fetch from \(settings.name) of \(stream): \(error.message)")
    }
    if let delivery = Delivery(reply, from: nats) { return delivery }
    // No messages, a time that is over, or a request that the server gave up.
    let status = reply.headers["Status"] ?? ""
    if status == "503" { throw .engine("nats-unavailable", "nobody hands out \(settings.name) of \(stream)") }
    guard ["404", "408", "409"].contains(status) else {
      throw .engine("nats-failed", "can't fetch from \(settings.name) of \(stream): \(status)")
    }
    return nil
  }

  /// How far the consumer is, for all who share it.
  package func state() async throws(Fault) -> ConsumerState {
    try await nats.call { (nats) throws(Fault) in
      var info: UnsafeMutablePointer<jsConsumerInfo>?
      var code = jsErrCode(0)
      var waits = nats.waits
      let status = js_GetConsumerInfo(&info, nats.stream.pointer, stream, settings.name, &waits, &code)
      try NatsFault.check(status, "look at the consumer \(settings.name) of \(stream)", code: code)
      defer { jsConsumerInfo_Destroy(info) }
      guard let state = info?.pointee else { throw .engine("nats-failed", "\(settings.name) has no state") }
      return ConsumerState(
        waiting: state.NumPending, held: state.NumAckPending, redelivered: state.NumRedelivered,
        lastDelivered: state.Delivered.Stream, lastSettled: state.AckFloor.Stream)
    }
  }
}

/// A message that was handed out, to be acknowledged.
package struct Delivery: Sendable {
  package let message: NatsMessage
  /// Its place in the stream.
  package let sequence: UInt64
  /// How often it was handed out, this time included.
  package let count: Int
  private let nats: NatsConnection

  /// Reads what the server put into the place for the answer; nil for a message that no stream handed out.
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

  /// It is done with, and the server has said that it knows.
  package func acknowledge() async throws(Fault) {
    guard let reply = message.reply else { return }
    _ = try await nats.request(NatsMessage(reply, "+ACK"))
  }

  /// Somebody else is to have it, after a while.
  package func giveBack(after delay: Duration = .zero) async throws(Fault) {
    try await say(delay > .zero ? "-NAK {\"delay\": \(delay.nanoseconds)}" : "-NAK")
  }

  /// Nobody is to have it any more.
  package func terminate() async throws(Fault) { try await say("+TERM") }

  /// It is still worked on: the time to acknowledge it begins anew.
  package func extend() async throws(Fault) { try await say("+WPI") }

  private func say(_ word: String) async throws(Fault) {
    guard let reply = message.reply else { return }
    try await nats.send(NatsMessage(reply, word))
  }
}
