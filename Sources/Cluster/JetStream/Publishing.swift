internal import CNats
package import Core

/// Conditions under which a stream accepts a message.
package struct PublishConditions: Hashable, Sendable {
  /// Id of the message; the stream drops a second one with the same id within its window.
  package var id: String?
  /// Required latest place in the stream; nil for any.
  package var lastSequence: UInt64?
  /// Required latest place of the same subject, 0 for none; nil for any.
  package var lastOfSubject: UInt64?

  package init(id: String? = nil, lastSequence: UInt64? = nil, lastOfSubject: UInt64? = nil) {
    (self.id, self.lastSequence, self.lastOfSubject) = (id, lastSequence, lastOfSubject)
  }
}

/// Confirmation that a stream has stored a message.
package struct Published: Hashable, Sendable {
  package let stream: String
  package let sequence: UInt64
  /// Indicates if the stream had a message with the same id already.
  package let isDuplicate: Bool
}

extension NatsConnection {
  /// Publishes a message and waits until its stream has stored it.
  ///
  /// After a timeout the message may have been stored all the same: with an id the call can be repeated safely.
  @discardableResult package func publish(
    _ message: NatsMessage, _ conditions: PublishConditions = PublishConditions()
  ) async throws(Fault) -> Published {
    try await call { (nats) throws(Fault) in try nats.blockingPublish(message, conditions) }
  }

  /// Publishes a message and waits until its stream has stored it; blocks the calling thread.
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
          throw .engine(.natsFailed, "no server confirmed the message to \(message.subject)")
        }
        return Published(
          stream: taken.Stream.map { String(cString: $0) } ?? "", sequence: taken.Sequence,
          isDuplicate: taken.Duplicate)
      }
    }
  }
}
