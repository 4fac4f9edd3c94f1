package import Core
internal import Files
internal import FoundationEssentials
internal import Glibc

/// Client of a queue's servers, for a worker or a sender; it has no access to the queue itself.
package final class QueueClient: Sendable {
  /// Time limit for one answer: servers retry for about ten seconds after NATS has lost a leader.
  private static let patience = Duration.seconds(12)
  package let caller: QueueCaller
  /// Time limit for an attempt while no NATS server is connected.
  private let timeout: Duration
  private let nats: NatsConnection
  private let names: QueueNames

  /// Connects as `caller`, with an inbox that no other user can read.
  package static func connect(_ settings: ClusterSettings, as caller: QueueCaller) async throws(Fault) -> QueueClient {
    let names = QueueNames(settings.name)
    var nats = settings.nats
    nats.inbox = names.inbox(of: caller)
    return QueueClient(caller, try await NatsConnection.connect(nats), names, timeout: nats.timeout)
  }

  private init(_ caller: QueueCaller, _ nats: NatsConnection, _ names: QueueNames, timeout: Duration) {
    (self.caller, self.nats, self.names, self.timeout) = (caller, nats, names, timeout)
  }

  package func close() async { await nats.close() }

  /// Indicates if a NATS server is connected right now.
  package var isConnected: Bool { nats.isConnected }

  /// Sends a request to any free server, or to the server that has a file, and retries for a while if none answers.
  package func ask(
    _ request: QueueRequest, _ body: [UInt8] = [], of server: String? = nil
  ) async throws(Fault) -> (reply: QueueReply, body: [UInt8]) {
    let bytes = try QueueMessage.bytes(request, body)
    return try await Retrying.run { () throws(Fault) in
      try await self.askOnce(bytes, of: server, within: self.isConnected ? Self.patience : self.timeout)
    }
  }

  /// Sends a request once, and waits for the answer up to a time.
  func askOnce(
    _ bytes: [UInt8], of server: String? = nil, within time: Duration
  ) async throws(Fault) -> (reply: QueueReply, body: [UInt8]) {
    let answer: NatsMessage
    do throws(Fault) {
      answer = try await nats.request(NatsMessage(names.request(of: caller, to: server), bytes), timeout: time)
    } catch {
      guard error.has(.natsUnavailable) else { throw error }
      // The one that had a file is gone; of all others none is there.
      if server != nil { throw .engine(.transferGone, "the server with the file has stopped") }
      throw .engine(.natsUnavailable, "no server of the queue responds: start galley serve --queue")
    }
    guard let read = QueueMessage.read(QueueReply.self, answer.bytes) else {
      throw .engine("queue-answer-unreadable", "a server's response can't be read: its version may differ")
    }
    if case .failed(let fault) = read.head { throw fault }
    return (read.head, read.body)
  }

  /// Sends a request that is answered with `done`.
  package func order(_ request: QueueRequest) async throws(Fault) {
    guard case .done = try await ask(request).reply else { throw Self.unexpected }
  }

  /// Sends a request that has no answer.
  package func tell(_ request: QueueRequest) async {
    guard let bytes = try? QueueMessage.bytes(request) else { return }
    try? await nats.send(NatsMessage(names.request(of: caller, to: nil), bytes))
  }

  static var unexpected: Fault {
    .engine("queue-answer-unreadable", "a server's response has an unexpected kind")
  }

  /// Subscribes to the messages that announce a waiting job.
  func waitForWork() async throws(Fault) -> Subscription {
    try await Retrying.run { () throws(Fault) in try await Subscription.open(self.names.wake, on: self.nats) }
  }

  /// Opens the notices of cancelled jobs for a worker, or of its own jobs for a sender.
  package func notices() async throws(Fault) -> NoticeReader {
    let subject =
      switch caller.role {
      case .worker: names.notice(of: "*", about: JobEvent.Topic.cancelled.rawValue)
      case .sender: names.word(to: caller.text, of: "*")
      }
    return NoticeReader(try await Subscription.open(subject, on: nats), largest: JobEventBus.largest)
  }
}

extension QueueClient {
  /// Sends a file to the servers, for a worker's job or for a sender; returns their receipt.
  package func keep(file: String, of ticket: LeaseTicket? = nil) async throws(Fault) -> FileReceipt {
    let hash = try ContentFile.hash(file)
    var latest = Fault.engine("transfer-lost", "\(file) couldn't be transferred")
    for _ in 0..<Self.mostTries {
      do throws(Fault) {
        return try await keep(file, as: hash, ticket)
      } catch let error where error.has(.transferGone) {
        // The server that had its beginning is gone.
        latest = error
      }
    }
    throw latest
  }

  /// Maximum number of attempts to transfer a file, since the server that has its beginning may stop.
  private static let mostTries = 4

  private func keep(_ file: String, as hash: String, _ ticket: LeaseTicket?) async throws(Fault) -> FileReceipt {
    let source = try FilePieces(file)
    var (reply, _) = try await ask(.keep(size: source.size, sha256: hash, of: ticket), try source.piece(at: 0))
    var offset = min(source.size, QueueMessage.piece)
    while case .wanted(let transfer) = reply, offset < source.size {
      let piece = try source.piece(at: offset)
      reply = try await ask(.append(transfer: transfer.id, offset: offset), piece, of: transfer.server).reply
      offset += piece.count
    }
    guard case .kept(let receipt) = reply else { throw Self.unexpected }
    return receipt
  }

  /// Fetches the file of a request into a new file.
  package func fetch(_ request: QueueRequest, to file: String) async throws(Fault) {
    var latest = Fault.engine("transfer-lost", "\(file) couldn't be fetched")
    for _ in 0..<Self.mostTries {
      do throws(Fault) {
        return try await fetchOnce(request, to: file)
      } catch {
        unlink(file)
        guard error.has(.transferGone) else { throw error }
        latest = error
      }
    }
    throw latest
  }

  private func fetchOnce(_ request: QueueRequest, to file: String) async throws(Fault) {
    let (reply, first) = try await ask(request)
    guard case .file(let size, let transfer) = reply, size >= first.count else { throw Self.unexpected }
    let target = try ContentFile.writing(file)
    try target.write(first)
    var offset = first.count
    while offset < size {
      guard let transfer else { throw Self.unexpected }
      let piece = try await ask(.piece(transfer: transfer.id, offset: offset), of: transfer.server).body
      guard !piece.isEmpty, offset + piece.count <= size else { throw Self.unexpected }
      try target.write(piece)
      offset += piece.count
    }
  }
}

/// File that is read in pieces, in any order.
package final class FilePieces: Sendable {
  private let path: String
  private let descriptor: Int32
  package let size: Int

  package init(_ path: String) throws(Fault) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    var facts = stat()
    guard descriptor >= 0, fstat(descriptor, &facts) == 0 else {
      if descriptor >= 0 { close(descriptor) }
      throw .engine("data-failed", "can't read \(path): \(SystemError(errno))")
    }
    (self.path, size) = (path, Int(facts.st_size))
  }

  deinit { close(descriptor) }

  /// Returns the piece that begins at an offset; empty at the end.
  package func piece(at offset: Int) throws(Fault) -> [UInt8] {
    let want = max(0, min(QueueMessage.piece, size - offset))
    var bytes = [UInt8](repeating: 0, count: want)
    var count = 0
    while count < want {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + count, want - count, off_t(offset + count))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw .engine("data-failed", "can't read \(path): it was truncated") }
      count += got
    }
    return bytes
  }
}
