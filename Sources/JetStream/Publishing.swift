internal import CNats
package import Core

/// What has to be so for a stream to take a message in.
package struct PublishConditions: Hashable, Sendable {
  /// A second message of the same id within the stream's window is none.
  package var id: String?
  /// The latest place in the stream; nil for any.
  package var lastSequence: UInt64?
  /// The latest place of the same subject, 0 for none; nil for any.
  package var lastOfSubject: UInt64?

  package init(id: String? = nil, lastSequence: UInt64? = nil, lastOfSubject: UInt64? = nil) {
    (self.id, self.lastSequence, self.lastOfSubject) = (id, lastSequence, lastOfSubject)
  }
}

/// A message that a stream took in.
package struct Published: Hashable, Sendable {
  package let stream: String
  package let sequence: UInt64
  /// Whether one of the same id was there before.
  package let isDuplicate: Bool
}

extension NatsConnection {
  /// Publishes a message and waits until its stream has it.
  ///
  /// When nobody answers in time it may have been taken in all the same: with an id the same call may be made again.
  @discardableResult package func publish(
    _ message: NatsMessage, _ conditions: PublishConditions = PublishConditions()
  ) async throws(Fault) -> Published {
    try await call { (nats) throws(Fault) in try nats.blockingPublish(message, conditions) }
  }

  /// The same on a thread that may block.
  @discardableResult func blockingPublish(
    _ message: NatsMessage, _ conditions: PublishConditions = PublishConditions()
  ) throws(Fault) -> Published {
    try message.withPointer { (pointer) throws(Fault) in
      try CTexts.use { (texts) throws(Fault) in
        var options = jsPubOptions()
        jsPubOptions_Init(&options)
        options.MaxWait = settings.timeout.boundedMilliseconds
        options.MsgId = texts.text(conditions.id)
        options.ExpectLastSeq = conditions.lastSequence ?? 0
        if let last = conditions.lastOfSubject {
          options.ExpectLastSubjectSeq = last
          options.ExpectNoMessage = last == 0
        }
        var acknowledgement: UnsafeMutablePointer<jsPubAck>?
        var code = jsErrCode(0)
        let status = js_PublishMsg(&acknowledgement, stream.pointer, pointer, &options, &code)
        try NatsFault.check(status, "publish to \(message.subject)", code: code)
        defer { jsPubAck_Destroy(acknowledgement) }
        guard let taken = acknowledgement?.pointee else {
          throw .engine("nats-failed", "nobody says that \(message.subject) was published")
        }
        return Published(
          stream: taken.Stream.map { String(cString: $0) } ?? "", sequence: taken.Sequence,
          isDuplicate: taken.Duplicate)
      }
    }
  }
}
