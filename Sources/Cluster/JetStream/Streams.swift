internal import CNats
package import Core
internal import FoundationEssentials

/// Settings for a stream of messages.
package struct StreamSettings: Sendable {
  /// Rule for the time that a message is stored.
  package enum Retention: Sendable {
    /// Messages are stored until a limit is reached.
    case limits
    /// Messages are stored until they are acknowledged once.
    case workQueue
  }

  package var name: String
  package var subjects: [String]
  package var retention = Retention.limits
  /// Maximum number of messages; nil for no limit of its own.
  package var mostMessages: Int64?
  package var mostBytes: Int64?
  /// Maximum age of a message; nil for no limit.
  package var age: Duration?
  /// Indicates if a full stream refuses new messages; otherwise it drops the oldest ones.
  package var refusesWhenFull = true
  /// Number of the cluster's servers that store the stream, 1 to 5.
  package var replicas = 1
  /// Time within which a second message with the same id is dropped.
  package var duplicates = Duration.seconds(120)
  /// Indicates if a message may replace the earlier ones of its subject or stream.
  package var allowsRollup = false

  package init(_ name: String, subjects: [String]) { (self.name, self.subjects) = (name, subjects) }

  /// Calls `body` with the settings in the library's form.
  func withConfiguration<Value>(
    _ body: (UnsafeMutablePointer<jsStreamConfig>) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    try CTexts.use { (texts) throws(Fault) in
      var configuration = jsStreamConfig()
      jsStreamConfig_Init(&configuration)
      configuration.Name = texts.text(name)
      configuration.Subjects = texts.list(subjects)
      configuration.SubjectsLen = Int32(subjects.count)
      configuration.Retention = retention == .workQueue ? js_WorkQueuePolicy : js_LimitsPolicy
      configuration.MaxMsgs = mostMessages ?? -1
      configuration.MaxBytes = mostBytes ?? -1
      configuration.MaxAge = age?.nanoseconds ?? 0
      configuration.Discard = refusesWhenFull ? js_DiscardNew : js_DiscardOld
      configuration.Storage = js_FileStorage
      configuration.Replicas = Int64(replicas)
      configuration.Duplicates = min(duplicates, age ?? duplicates).nanoseconds
      configuration.AllowRollup = allowsRollup
      configuration.AllowDirect = true
      return try body(&configuration)
    }
  }
}

/// Counters of a stream's messages.
package struct StreamState: Hashable, Sendable {
  package var messages: UInt64
  package var bytes: UInt64
  package var firstSequence: UInt64
  package var lastSequence: UInt64
  /// Number of messages by subject, for the subjects that were asked for.
  package var subjects: [String: UInt64] = [:]
}

extension NatsConnection {
  /// Creates a stream, or updates an existing one to these settings unless `keepingOthers` is true.
  package func makeStream(_ settings: StreamSettings, keepingOthers: Bool = false) async throws(Fault) {
    try await callWhileInTheWay { (nats) throws(Fault) in
      try settings.withConfiguration { (configuration) throws(Fault) in
        var code = jsErrCode(0)
        var status = js_AddStream(nil, nats.stream.pointer, configuration, nil, &code)
        if code == JSStreamNameExistErr {
          if keepingOthers { return }
          code = jsErrCode(0)
          status = js_UpdateStream(nil, nats.stream.pointer, configuration, nil, &code)
        }
        try NatsFault.check(status, "make the stream \(settings.name)", code: code)
      }
    }
  }

  /// Calls a function that creates a stream, and retries while the server reports that another stream has its subjects.
  ///
  /// If another client creates a stream of the same name at this moment, a server first reports the subjects and only
  /// then that the stream exists.
  func callWhileInTheWay<Value: Sendable>(
    _ make: @escaping @Sendable (NatsConnection) throws(Fault) -> Value
  ) async throws(Fault) -> Value {
    for _ in 0..<Self.mostLooks {
      do throws(Fault) {
        return try await call(make)
      } catch let error where error.has(.natsStreamDiffers) {
        guard (try? await Task.sleep(for: Self.betweenLooks)) != nil else { throw error }
      }
    }
    return try await call(make)
  }

  private static let mostLooks = 25
  private static let betweenLooks = Duration.milliseconds(20)

  /// Removes a stream and its messages; does nothing for one that isn't there.
  package func removeStream(_ name: String) async throws(Fault) {
    try await call { (nats) throws(Fault) in
      var code = jsErrCode(0)
      let status = js_DeleteStream(nats.stream.pointer, name, nil, &code)
      guard code != JSStreamNotFoundErr else { return }
      try NatsFault.check(status, "remove the stream \(name)", code: code)
    }
  }

  /// Returns the state of a stream; counts messages by subject for the subjects that `filter` matches, as in `jobs.>`.
  package func stateOfStream(_ name: String, subjects filter: String? = nil) async throws(Fault) -> StreamState {
    try await call { (nats) throws(Fault) in
      try CTexts.use { (texts) throws(Fault) in
        var options = nats.waits
        options.Stream.Info.SubjectsFilter = texts.text(filter)
        var info: UnsafeMutablePointer<jsStreamInfo>?
        var code = jsErrCode(0)
        let status = js_GetStreamInfo(&info, nats.stream.pointer, name, &options, &code)
        try NatsFault.check(status, "look at the stream \(name)", code: code)
        defer { jsStreamInfo_Destroy(info) }
        guard let state = info?.pointee.State else { throw .engine(.natsFailed, "the stream \(name) has no state") }
        return StreamState(state)
      }
    }
  }

  /// Returns the first message at or after a place whose subject matches `filter`; nil if there is none.
  package func message(
    of stream: String, from sequence: UInt64, subject filter: String
  ) async throws(Fault) -> NatsMessage? {
    try await call { (nats) throws(Fault) in try nats.blockingMessage(of: stream, from: sequence, subject: filter) }
  }

  /// Returns the first message at or after a place whose subject matches; nil if there is none. Blocks the calling
  /// thread.
  func blockingMessage(of stream: String, from sequence: UInt64, subject: String) throws(Fault) -> NatsMessage? {
    try CTexts.use { (texts) throws(Fault) in
      var options = jsDirectGetMsgOptions()
      jsDirectGetMsgOptions_Init(&options)
      options.Sequence = sequence
      options.NextBySubject = texts.text(subject)
      var message: OpaquePointer?
      var waits = waits
      let status = js_DirectGetMsg(&message, self.stream.pointer, stream, &waits, &options)
      guard status != NATS_NOT_FOUND else { return nil }
      try NatsFault.check(status, "read \(subject) of \(stream)")
      defer { natsMsg_Destroy(message) }
      return NatsMessage(reading: message)
    }
  }

  /// Returns that message from the server that leads the stream, which has all acknowledged ones; nil if there is none.
  ///
  /// The server sends it as text.
  func blockingLeadersMessage(
    of stream: String, from sequence: UInt64, subject: String
  ) throws(Fault) -> NatsMessage? {
    let question = JSONText.plain(LeadersAnswer.Question(seq: sequence, next_by_subj: subject)) ?? ""
    let reply = try blockingRequest(NatsMessage("$JS.API.STREAM.MSG.GET.\(stream)", question))
    guard let answer = try? JSONDecoder().decode(LeadersAnswer.self, from: Data(reply.bytes)) else {
      throw .engine(.natsFailed, "can't read \(subject) of \(stream): the response has an unexpected format")
    }
    if let error = answer.error {
      let code = jsErrCode(UInt32(clamping: error.err_code ?? 0))
      guard code != JSNoMessageFoundErr else { return nil }
      throw NatsFault.fault(NATS_ERR, "read \(subject) of \(stream)", code: code)
    }
    guard let found = answer.message else { return nil }
    var message = NatsMessage(found.subject, found.data.map { Array($0) } ?? [])
    message.sequence = found.seq
    return message
  }

  /// Returns the latest message of a subject, from the server that leads the stream; nil if there is none.
  func blockingLastMessage(of stream: String, subject: String) throws(Fault) -> NatsMessage? {
    var message: OpaquePointer?
    var code = jsErrCode(0)
    let status = js_GetLastMsg(&message, self.stream.pointer, stream, subject, nil, &code)
    guard code != JSNoMessageFoundErr else { return nil }
    try NatsFault.check(status, "read \(subject) of \(stream)", code: code)
    defer { natsMsg_Destroy(message) }
    return NatsMessage(reading: message)
  }

  /// Returns the latest message of a subject at the nearest server that stores the stream; nil if it has none or
  /// doesn't answer.
  ///
  /// That server may be slightly behind the leader. It sends the message in its stored form, and no other server is
  /// involved.
  func blockingGlance(at stream: String, subject: String) throws(Fault) -> NatsMessage? {
    try CTexts.use { (texts) throws(Fault) in
      var options = jsDirectGetMsgOptions()
      jsDirectGetMsgOptions_Init(&options)
      options.LastBySubject = texts.text(subject)
      var message: OpaquePointer?
      var waits = waits
      guard js_DirectGetMsg(&message, self.stream.pointer, stream, &waits, &options) == NATS_OK else { return nil }
      defer { natsMsg_Destroy(message) }
      return NatsMessage(reading: message)
    }
  }

  /// Removes one message for good; does nothing for one that isn't there.
  package func removeMessage(_ sequence: UInt64, of stream: String) async throws(Fault) {
    try await call { (nats) throws(Fault) in
      var code = jsErrCode(0)
      let status = js_DeleteMsg(nats.stream.pointer, stream, sequence, nil, &code)
      guard code != JSNoMessageFoundErr, code != JSSequenceNotFoundErr else { return }
      // Of a message that is gone servers say no more than that deleting failed.
      if code == JSStreamMsgDeleteFailed { return }
      try NatsFault.check(status, "remove message \(sequence) of \(stream)", code: code)
    }
  }

  /// Removes all messages of a subject.
  func blockingPurge(_ stream: String, subject: String) throws(Fault) {
    try CTexts.use { (texts) throws(Fault) in
      var options = waits
      options.Stream.Purge.Subject = texts.text(subject)
      var code = jsErrCode(0)
      let status = js_PurgeStream(self.stream.pointer, stream, &options, &code)
      try NatsFault.check(status, "remove \(subject) of \(stream)", code: code)
    }
  }

  /// Removes all messages up to a place.
  package func purge(_ stream: String, through sequence: UInt64) async throws(Fault) {
    try await call { (nats) throws(Fault) in
      var options = nats.waits
      options.Stream.Purge.Sequence = sequence + 1
      var code = jsErrCode(0)
      let status = js_PurgeStream(nats.stream.pointer, stream, &options, &code)
      try NatsFault.check(status, "remove the beginning of \(stream)", code: code)
    }
  }

  /// Time limit of a call, in the library's form.
  var waits: jsOptions {
    var options = jsOptions()
    jsOptions_Init(&options)
    options.Wait = settings.timeout.boundedMilliseconds
    return options
  }
}

extension StreamState {
  fileprivate init(_ state: jsStreamState) {
    (messages, bytes, firstSequence, lastSequence) = (state.Msgs, state.Bytes, state.FirstSeq, state.LastSeq)
    guard let list = state.Subjects?.pointee else { return }
    for index in 0..<Int(list.Count) {
      guard let subject = list.List[index].Subject else { continue }
      subjects[String(cString: subject)] = list.List[index].Msgs
    }
  }
}

/// Answer of a stream's leader to a request for one message.
private struct LeadersAnswer: Decodable {
  struct Question: Encodable {
    let seq: UInt64
    let next_by_subj: String
  }

  struct Message: Decodable {
    let subject: String
    let seq: UInt64
    let data: Data?
  }

  struct Refusal: Decodable {
    let err_code: Int?
  }

  let message: Message?
  let error: Refusal?
}
