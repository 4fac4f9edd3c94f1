internal import CNats
internal import Core
internal import Glibc

/// Message as a value, independent of the library's memory.
package struct NatsMessage: Hashable, Sendable {
  package var subject: String
  package var bytes: [UInt8]
  /// First value of each header.
  package var headers: [String: String]
  /// Subject for the answer; nil for none.
  package var reply: String?
  /// Place in its stream; 0 outside of streams.
  package var sequence: UInt64 = 0
  /// Time at which its stream received it, in milliseconds since 1970; 0 outside of streams.
  package var timestamp: Int64 = 0

  package init(_ subject: String, _ bytes: [UInt8] = [], headers: [String: String] = [:], reply: String? = nil) {
    (self.subject, self.bytes, self.headers, self.reply) = (subject, bytes, headers, reply)
  }

  package init(_ subject: String, _ text: String) { self.init(subject, Array(text.utf8)) }

  /// Copies a message of the library's.
  init(reading message: OpaquePointer?) {
    let length = Int(max(0, natsMsg_GetDataLength(message)))
    let data = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: length)
    self.init(
      natsMsg_GetSubject(message).map { String(cString: $0) } ?? "", Array(data), headers: Self.headers(of: message),
      reply: natsMsg_GetReply(message).map { String(cString: $0) })
    sequence = natsMsg_GetSequence(message)
    timestamp = natsMsg_GetTime(message) / 1_000_000
  }

  private static func headers(of message: OpaquePointer?) -> [String: String] {
    var keys: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    var count: Int32 = 0
    guard natsMsgHeader_Keys(message, &keys, &count) == NATS_OK, let keys else { return [:] }
    defer { free(keys) }
    var headers: [String: String] = [:]
    for index in 0..<Int(count) {
      var value: UnsafePointer<CChar>?
      guard let key = keys[index], natsMsgHeader_Get(message, key, &value) == NATS_OK, let value else { continue }
      headers[String(cString: key)] = String(cString: value)
    }
    return headers
  }

  /// Waits for a message, at most a second, and returns it with those that are already there; none if none comes.
  static func gather(
    _ most: Int, within time: Duration, _ next: (_ time: Duration) throws(Fault) -> NatsMessage?
  ) throws(Fault) -> [NatsMessage] {
    guard let first = try next(min(time, .seconds(1))) else { return [] }
    var messages = [first]
    while messages.count < most, let message = try next(.zero) { messages.append(message) }
    return messages
  }

  /// Creates the library's form of the message for the duration of `body`.
  func withPointer<Value>(_ body: (OpaquePointer) throws(Fault) -> Value) throws(Fault) -> Value {
    try checkNames()
    guard let length = Int32(exactly: bytes.count) else {
      throw .engine("nats-too-large", "can't send \(bytes.count) bytes to \(subject)")
    }
    var message: OpaquePointer?
    let status = bytes.withUnsafeBytes { bytes in
      natsMsg_Create(&message, subject, reply, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length)
    }
    guard status == NATS_OK, let message else { throw NatsFault.fault(status, "make a message to \(subject)") }
    defer { natsMsg_Destroy(message) }
    for (name, value) in headers {
      try NatsFault.check(natsMsgHeader_Set(message, name, value), "make a message to \(subject)")
    }
    return try body(message)
  }

  /// Throws for names that would break the protocol's line.
  private func checkNames() throws(Fault) {
    let texts = [subject, reply ?? "."] + headers.flatMap { [$0.key, $0.value] }
    let isPlain = texts.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } }
    guard isPlain, !subject.isEmpty, !subject.contains(" ") else {
      throw .request("nats-argument-invalid", "can't send to \(subject): a name is invalid")
    }
  }
}
