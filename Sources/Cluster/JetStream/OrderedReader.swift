internal import CNats
package import Core

/// Reader of a stream's messages in order from a place, each once, independent of other readers.
package final class OrderedReader: Sendable {
  private let nats: NatsConnection
  private let pointer: LibraryPointer
  private let stream: String

  /// Opens a reader that begins with the first message after a place.
  package static func open(
    _ stream: String, subject: String, after place: UInt64, on nats: NatsConnection
  ) async throws(Fault) -> OrderedReader {
    try await nats.call { (nats) throws(Fault) in try OrderedReader(stream, subject, place, nats) }
  }

  private init(_ stream: String, _ subject: String, _ place: UInt64, _ nats: NatsConnection) throws(Fault) {
    (self.nats, self.stream) = (nats, stream)
    pointer = try CTexts.use { (texts) throws(Fault) in
      var options = jsSubOptions()
      jsSubOptions_Init(&options)
      options.Stream = texts.text(stream)
      options.Ordered = true
      options.Config.DeliverPolicy = js_DeliverByStartSequence
      options.Config.OptStartSeq = place + 1
      var waits = nats.waits
      var code = jsErrCode(0)
      var subscription: OpaquePointer?
      let status = js_SubscribeSync(&subscription, nats.stream.pointer, subject, &waits, &options, &code)
      guard status == NATS_OK, let pointer = LibraryPointer(subscription) else {
        throw NatsFault.fault(status, "read \(stream)", code: code)
      }
      return pointer
    }
  }

  deinit { natsSubscription_Destroy(pointer.pointer) }

  /// Returns the next messages, at most `most`; none if there are none within the time, at most a second.
  ///
  /// After a fault the reader is no longer usable: a new one can continue at its place.
  package func next(_ most: Int, within time: Duration) async throws(Fault) -> [NatsMessage] {
    try await nats.call { [self] (_) throws(Fault) in
      try NatsMessage.gather(most, within: time) { (time) throws(Fault) in try blockingNext(within: time) }
    }
  }

  private func blockingNext(within time: Duration) throws(Fault) -> NatsMessage? {
    var message: OpaquePointer?
    let status = natsSubscription_NextMsg(&message, pointer.pointer, max(0, time.milliseconds))
    guard status != NATS_TIMEOUT else { return nil }
    try NatsFault.check(status, "read \(stream)")
    defer { natsMsg_Destroy(message) }
    // Its place stands in the subject for the answer.
    return Delivery(NatsMessage(reading: message), from: nats)?.message
  }
}
