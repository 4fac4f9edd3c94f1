internal import CNats
package import Core
internal import Glibc
internal import Synchronization

/// Connection to NATS that is restored automatically after it was lost.
///
/// Every call waits for a bounded time, on a thread outside Swift's own pool.
package final class NatsConnection: Sendable {
  let settings: NatsSettings
  let connection: LibraryPointer
  /// JetStream context of the library.
  let stream: LibraryPointer
  private let lanes: BlockingLanes
  private let listener: ConnectionListener

  /// Connects to the server that answers first.
  package static func connect(_ settings: NatsSettings) async throws(Fault) -> NatsConnection {
    let lanes = BlockingLanes("galley.nats", width: settings.width, waiting: 10_000)
    return try await lanes.run { () throws(Fault) in try NatsConnection(settings, lanes) }
  }

  private init(_ settings: NatsSettings, _ lanes: BlockingLanes) throws(Fault) {
    guard galley_nats_is_there() != 0 else {
      let name = String(cString: galley_nats_library())
      throw .engine(
        "nats-library-missing", "the NATS client library \(name) isn't installed: on Debian, install libnats3.4")
    }
    let listener = ConnectionListener()
    let made = try ConnectionOptions(settings).connect(listener)
    var context: OpaquePointer?
    var options = jsOptions()
    jsOptions_Init(&options)
    options.Wait = settings.timeout.boundedMilliseconds
    let status = natsConnection_JetStream(&context, made.pointer, &options)
    guard status == NATS_OK, let stream = LibraryPointer(context) else {
      natsConnection_Destroy(made.pointer)
      throw NatsFault.fault(status, "use JetStream")
    }
    (self.settings, self.lanes, self.listener, connection, self.stream) = (settings, lanes, listener, made, stream)
  }

  deinit {
    listener.stop()
    // The context first: it is part of the connection.
    jsCtx_Destroy(stream.pointer)
    natsConnection_Destroy(connection.pointer)
  }

  /// Events of the connection from now on, the latest 100 buffered; ends when the connection is closed.
  package var events: AsyncStream<ConnectionEvent> { listener.follow() }

  /// Indicates if a server is connected right now.
  package var isConnected: Bool { natsConnection_Status(connection.pointer) == NATS_CONN_STATUS_CONNECTED }

  /// Maximum number of bytes that the server accepts in one message.
  package var largestMessage: Int { Int(natsConnection_GetMaxPayload(connection.pointer)) }

  /// Calls the library on a lane; keeps the connection alive for the call.
  func call<Value: Sendable>(
    _ body: @escaping @Sendable (NatsConnection) throws(Fault) -> Value
  ) async throws(Fault) -> Value {
    try await lanes.run { () throws(Fault) in try body(self) }
  }

  /// Sends a message without confirmation.
  package func send(_ message: NatsMessage) async throws(Fault) {
    try await call { (nats) throws(Fault) in
      try message.withPointer { (pointer) throws(Fault) in
        try NatsFault.check(
          natsConnection_PublishMsg(nats.connection.pointer, pointer), "send to \(message.subject)")
      }
    }
  }

  /// Sends a message and waits for its one answer.
  package func request(_ message: NatsMessage, timeout: Duration? = nil) async throws(Fault) -> NatsMessage {
    try await call { (nats) throws(Fault) in try nats.blockingRequest(message, timeout: timeout) }
  }

  /// Sends a message and waits for its one answer; blocks the calling thread.
  func blockingRequest(_ message: NatsMessage, timeout: Duration? = nil) throws(Fault) -> NatsMessage {
    try message.withPointer { (pointer) throws(Fault) in
      var reply: OpaquePointer?
      let wait = (timeout ?? settings.timeout).boundedMilliseconds
      try NatsFault.check(
        natsConnection_RequestMsg(&reply, connection.pointer, pointer, wait), "ask \(message.subject)")
      defer { natsMsg_Destroy(reply) }
      return NatsMessage(reading: reply)
    }
  }

  /// Sends a message and waits for its answer in an inbox for this request alone; blocks the calling thread.
  func blockingAsk(_ message: NatsMessage, timeout: Duration) throws(Fault) -> NatsMessage {
    var inbox: UnsafeMutablePointer<CChar>?
    try NatsFault.check(natsInbox_Create(&inbox), "ask \(message.subject)")
    defer { natsInbox_Destroy(inbox) }
    var message = message
    message.reply = inbox.map { String(cString: $0) }
    var subscription: OpaquePointer?
    try NatsFault.check(
      natsConnection_SubscribeSync(&subscription, connection.pointer, inbox), "ask \(message.subject)")
    defer { natsSubscription_Destroy(subscription) }
    return try message.withPointer { (pointer) throws(Fault) in
      try NatsFault.check(natsConnection_PublishMsg(connection.pointer, pointer), "ask \(message.subject)")
      var reply: OpaquePointer?
      try NatsFault.check(
        natsSubscription_NextMsg(&reply, subscription, timeout.boundedMilliseconds), "ask \(message.subject)")
      defer { natsMsg_Destroy(reply) }
      return NatsMessage(reading: reply)
    }
  }

  /// Waits until the server has received all sent messages.
  package func flush() async throws(Fault) {
    try await call { (nats) throws(Fault) in
      try NatsFault.check(
        natsConnection_FlushTimeout(nats.connection.pointer, nats.settings.timeout.boundedMilliseconds), "flush")
    }
  }

  /// Sends pending messages and closes the connection; later calls are refused.
  package func close() async {
    listener.stop()
    _ = try? await call { (nats) throws(Fault) in
      // Draining goes on by itself; closing at once would throw away what isn't sent yet.
      if nats.isConnected {
        natsConnection_FlushTimeout(nats.connection.pointer, nats.settings.timeout.boundedMilliseconds)
      }
      natsConnection_Close(nats.connection.pointer)
    }
  }
}

/// Event of a connection.
package enum ConnectionEvent: Hashable, Sendable {
  /// The server was lost; the library tries to reconnect.
  case lost
  /// A server is connected again; its address.
  case found(String)
  /// The connection is closed for good.
  case closed
  /// The server or the library reports a problem, as when a subject isn't permitted.
  case problem(String)
}

/// Forwards the library's events; the library refers to it by a number, so that a late callback finds no listener.
final class ConnectionListener: Sendable {
  private struct Readers {
    var next = 0
    var isStopped = false
    var streams: [Int: AsyncStream<ConnectionEvent>.Continuation] = [:]
  }
  private struct Directory {
    var next: UInt = 1
    var listeners: [UInt: ConnectionListener] = [:]
  }

  private static let directory = Mutex(Directory())
  private let readers = Mutex(Readers())
  private let number = Mutex<UInt>(0)

  /// Registers the listener; returns the number that the library passes to its callbacks.
  func start() -> UnsafeMutableRawPointer? {
    let number = Self.directory.withLock { directory in
      defer { directory.next += 1 }
      directory.listeners[directory.next] = self
      return directory.next
    }
    self.number.withLock { $0 = number }
    return UnsafeMutableRawPointer(bitPattern: number)
  }

  /// Removes the listener and ends its streams, with `closed` as their last event.
  func stop() {
    let number = number.withLock { $0 }
    _ = Self.directory.withLock { $0.listeners.removeValue(forKey: number) }
    let streams = readers.withLock { readers in
      defer { readers = Readers(isStopped: true) }
      return readers.streams.values
    }
    for stream in streams {
      stream.yield(.closed)
      stream.finish()
    }
  }

  func follow() -> AsyncStream<ConnectionEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ConnectionEvent.self, bufferingPolicy: .bufferingNewest(100))
    let number: Int? = readers.withLock { readers in
      guard !readers.isStopped else { return nil }
      readers.next += 1
      readers.streams[readers.next] = continuation
      return readers.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.readers.withLock { $0.streams.removeValue(forKey: number) }
    }
    return stream
  }

  /// Sends an event to the listener's streams; called by the library on its own thread.
  static func post(_ event: ConnectionEvent, to pointer: UnsafeMutableRawPointer?) {
    let listener = directory.withLock { $0.listeners[UInt(bitPattern: pointer)] }
    guard let listener else { return }
    let streams = listener.readers.withLock { $0.streams.values }
    for stream in streams { stream.yield(event) }
  }
}

/// Connection options of the library, made from settings.
private struct ConnectionOptions {
  private let settings: NatsSettings

  init(_ settings: NatsSettings) { self.settings = settings }

  func connect(_ listener: ConnectionListener) throws(Fault) -> LibraryPointer {
    var options: OpaquePointer?
    try NatsFault.check(natsOptions_Create(&options), "prepare a connection")
    defer { natsOptions_Destroy(options) }
    try addServers(options)
    try addWaits(options)
    try addIdentity(options)
    try addTLS(options)
    try addListener(options, listener.start())
    var connection: OpaquePointer?
    let status = natsConnection_Connect(&connection, options)
    guard status == NATS_OK, let made = LibraryPointer(connection) else {
      listener.stop()
      throw NatsFault.fault(status, "connect to \(settings.servers.map(Self.nameless).joined(separator: ", "))")
    }
    return made
  }

  /// Returns an address without its name and password.
  private static func nameless(_ address: String) -> String {
    guard let at = address.lastIndex(of: "@"), let slash = address.lastIndex(of: "/"), slash < at else {
      return address
    }
    return String(address[...slash] + address[address.index(after: at)...])
  }

  private func addServers(_ options: OpaquePointer?) throws(Fault) {
    try CTexts.use { (texts) throws(Fault) in
      try check(natsOptions_SetServers(options, texts.list(settings.servers), Int32(settings.servers.count)))
      try check(natsOptions_SetName(options, settings.name))
      if let inbox = settings.inbox { try check(natsOptions_SetCustomInboxPrefix(options, inbox)) }
    }
  }

  private func addWaits(_ options: OpaquePointer?) throws(Fault) {
    let timeout = settings.timeout.boundedMilliseconds
    try check(natsOptions_SetTimeout(options, timeout))
    try check(natsOptions_SetWriteDeadline(options, timeout))
    try check(natsOptions_SetPingInterval(options, max(1000, timeout)))
    try check(natsOptions_SetMaxPingsOut(options, 2))
    // Whoever waits for an answer of a server that is gone hears so at once.
    try check(natsOptions_SetFailRequestsOnDisconnect(options, true))
    try check(natsOptions_SetMaxReconnect(options, -1))
    try check(natsOptions_SetReconnectWait(options, settings.reconnectWait.boundedMilliseconds))
    try check(natsOptions_SetReconnectJitter(options, 100, 1000))
    try check(natsOptions_SetReconnectBufSize(options, Int32(clamping: settings.buffer)))
  }

  private func addIdentity(_ options: OpaquePointer?) throws(Fault) {
    switch settings.identity {
    case .none: break
    case .credentials(let file):
      try checkReadable(file)
      try check(natsOptions_SetUserCredentialsFromFiles(options, file, nil))
    case .nkey(let key, let seedFile):
      try checkReadable(seedFile)
      try check(natsOptions_SetNKeyFromSeed(options, key, seedFile))
    }
  }

  private func addTLS(_ options: OpaquePointer?) throws(Fault) {
    guard let tls = settings.tls else { return }
    try check(natsOptions_SetSecure(options, true))
    if let file = tls.authorities {
      try checkReadable(file)
      try check(natsOptions_LoadCATrustedCertificates(options, file))
    }
    if let certificate = tls.certificate {
      try checkReadable(certificate.chain)
      try checkReadable(certificate.key)
      try check(natsOptions_LoadCertificatesChain(options, certificate.chain, certificate.key))
    }
  }

  private func addListener(_ options: OpaquePointer?, _ number: UnsafeMutableRawPointer?) throws(Fault) {
    try check(natsOptions_SetDisconnectedCB(options, { ConnectionListener.post(.lost, to: $1) }, number))
    try check(
      natsOptions_SetReconnectedCB(
        options, { connection, number in ConnectionListener.post(.found(address(of: connection)), to: number) }, number)
    )
    try check(natsOptions_SetClosedCB(options, { ConnectionListener.post(.closed, to: $1) }, number))
    try check(
      natsOptions_SetErrorHandler(
        options,
        { _, _, status, number in
          ConnectionListener.post(.problem(String(cString: natsStatus_GetText(status))), to: number)
        }, number))
  }

  private func check(_ status: natsStatus) throws(Fault) {
    guard status != NATS_OK else { return }
    let fault = NatsFault.fault(status, "use the settings of NATS")
    // Files that can't be used are the caller's, whatever the library calls that.
    throw .request(fault.has(.natsFailed) ? "nats-argument-invalid" : fault.code, fault.message)
  }

  private func checkReadable(_ file: String) throws(Fault) {
    guard access(file, R_OK) != 0 else { return }
    throw .request("nats-argument-invalid", "can't read \(file)")
  }
}

/// Returns the address of the connected server, without a password.
private func address(of connection: OpaquePointer?) -> String {
  var bytes = [CChar](repeating: 0, count: 1024)
  guard natsConnection_GetConnectedUrl(connection, &bytes, bytes.count) == NATS_OK else { return "" }
  return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
