internal import CNats
package import Core
internal import FoundationEssentials

/// How a stream keeps messages.
package struct StreamSettings: Sendable {
  /// How long a message stays.
  package enum Retention: Sendable {
    /// Until a limit is reached.
    case limits
    /// Until it is acknowledged, once.
    case workQueue
  }

  package var name: String
  package var subjects: [String]
  package var retention = Retention.limits
  /// Nil for as many as there is room for.
  package var mostMessages: Int64?
  package var mostBytes: Int64?
  /// Nil for ever.
  package var age: Duration?
  /// Whether a full stream refuses what is new; otherwise the oldest goes.
  package var refusesWhenFull = true
  /// How many servers of the cluster keep it, 1 to 5.
  package var replicas = 1
  /// How long two messages with the same id are one.
  package var duplicates = Duration.seconds(120)
  /// Whether a message may take the place of those before it.
  package var allowsRollup = false

  package init(_ name: String, subjects: [String]) { (self.name, self.subjects) = (name, subjects) }

  /// Calls `body` with the library's form of it.
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

/// What a stream holds.
package struct StreamState: Hashable, Sendable {
  package var messages: UInt64
  package var bytes: UInt64
  package var firstSequence: UInt64
  package var lastSequence: UInt64
  /// Messages by subject, of those that were asked for.
  package var subjects: [String: UInt64] = [:]
}

extension NatsConnection {
  /// Makes a stream, or gives an existing one these settings unless it is to stay as it is.
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

  /// Calls what makes a stream, again and again while another has its subjects: of one of the same name, which somebody else
  /// makes at this very moment, a server says that first and only then that it is there.
  func callWhileInTheWay<Value: Sendable>(
    _ make: @escaping @Sendable (NatsConnection) throws(Fault) -> Value
  ) async throws(Fault) -> Value {
    for _ in 0..<Self.mostLooks {
      do throws(Fault) {
        return try await call(make)
      } catch where error.code == "nats-stream-differs" {
        guard (try? await Task.sleep(for: Self.betweenLooks)) != nil else { throw error }
      }
    }
    return try await call(make)
  }

  private static let mostLooks = 25
  private static let betweenLooks = Duration.milliseconds(20)

  /// Removes a stream and all it holds; nothing happens to one that isn't there.
  package func removeStream(_ name: String) async throws(Fault) {
    try await call { (nats) throws(Fault) in
      var code = jsErrCode(0)
      let status = js_DeleteStream(nats.stream.pointer, name, nil, &code)
      guard code != JSStreamNotFoundErr else { return }
      try NatsFault.check(status, "remove the stream \(name)", code: code)
    }
  }

  /// What a stream holds; counts by subject of those that `filter` takes, as in `jobs.>`.
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
        guard let state = info?.pointee.State else { throw .engine("nats-failed", "the stream \(name) has no state") }
        return StreamState(state)
      }
    }
  }

  /// The first message at or after a place whose subject `filter` takes; nil when there is none.
  package func message(
    of stream: String, from sequence: UInt64, subject filter: String
  ) async throws(Fault) -> NatsMessage? {
    try await call { (nats) throws(Fault) in try nats.blockingMessage(of: stream, from: sequence, subject: filter) }
  }

  /// The same on a thread that may block.
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

  /// The same by the server that leads the stream, which has all that was acknowledged; it is sent as text.
  func blockingLeadersMessage(
    of stream: String, from sequence: UInt64, subject: String
  ) throws(Fault) -> NatsMessage? {
    let question = JSONText.plain(LeadersAnswer.Question(seq: sequence, next_by_subj: subject)) ?? ""
    let reply = try blockingRequest(NatsMessage("$JS.API.STREAM.MSG.GET.\(stream)", question))
    guard let answer = try? JSONDecoder().decode(LeadersAnswer.self, from: Data(reply.bytes)) else {
      throw .engine("nats-failed", "can't read \(subject) of \(stream): its answer has another form")
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

  /// The latest message of a subject, by the server that leads the stream; nil when there is none.
  func blockingLastMessage(of stream: String, subject: String) throws(Fault) -> NatsMessage? {
    var message: OpaquePointer?
    var code = jsErrCode(0)
    let status = js_GetLastMsg(&message, self.stream.pointer, stream, subject, nil, &code)
    guard code != JSNoMessageFoundErr else { return nil }
    try NatsFault.check(status, "read \(subject) of \(stream)", code: code)
    defer { natsMsg_Destroy(message) }
    return NatsMessage(reading: message)
  }

  /// The latest message of a subject, by whichever server that keeps the stream is nearest, which may be some moments
  /// behind; nil where it has none, or says nothing.
  ///
  /// It is sent as it is kept, and nobody but that server has work with it.
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

  /// Removes one message for good; nothing happens to one that isn't there.
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

  /// How long a call may take, as the library has it.
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

/// What the server that leads a stream says of one message.
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
