package import Core
internal import Synchronization

/// Entry point of a server for requests of workers and senders.
package struct RequestDoor: Sendable {
  /// Name of this server in subjects.
  package let server: String
  private let nats: NatsConnection
  private let names: QueueNames

  init(_ nats: NatsConnection, _ names: QueueNames) {
    (self.nats, self.names) = (nats, names)
    server = Lease.newTicket()
  }

  /// Opens the requests that any server may answer, each delivered to one of them.
  package func openShared() async throws(Fault) -> RequestReader {
    RequestReader(try await Subscription.open(names.requests, group: "servers", on: nats), nats, names)
  }

  /// Opens the requests for this server alone.
  package func openOwn() async throws(Fault) -> RequestReader {
    RequestReader(try await Subscription.open(names.requests(to: server), on: nats), nats, names)
  }
}

/// Reader of requests as they arrive.
package struct RequestReader: Sendable {
  /// Maximum number of requests that are read in one go.
  private static let most = 64
  private let subscription: Subscription
  private let nats: NatsConnection
  private let names: QueueNames

  init(_ subscription: Subscription, _ nats: NatsConnection, _ names: QueueNames) {
    (self.subscription, self.nats, self.names) = (subscription, nats, names)
  }

  /// Returns the requests that came within a second, and the number of messages that aren't valid requests.
  package func next() async throws(Fault) -> (requests: [IncomingRequest], refused: Int) {
    var (requests, refused) = ([IncomingRequest](), 0)
    for message in try await subscription.next(Self.most, within: .seconds(1)) {
      guard let caller = names.caller(of: message.subject), isOwn(message.reply, caller) else {
        refused += 1
        continue
      }
      guard let (request, body) = QueueMessage.read(QueueRequest.self, message.bytes) else {
        refused += 1
        let fault = Fault.request("queue-request-invalid", "this version of the server doesn't know the request")
        await IncomingRequest(caller, .leave, [], message.reply, nats).answer(.failed(fault))
        continue
      }
      requests.append(IncomingRequest(caller, request, body, message.reply, nats))
    }
    return (requests, refused)
  }

  /// Indicates if answers go to the caller's inbox; anywhere else the server would publish with its own rights.
  private func isOwn(_ reply: String?, _ caller: QueueCaller) -> Bool {
    guard let reply else { return true }
    return reply.utf8.count <= 250 && reply.hasPrefix(names.inbox(of: caller) + ".")
      && reply.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: ">") }
  }
}

/// Request and the subject for its answer.
package struct IncomingRequest: Sendable {
  package let caller: QueueCaller
  package let request: QueueRequest
  package let body: [UInt8]
  private let reply: String?
  private let nats: NatsConnection

  init(
    _ caller: QueueCaller, _ request: QueueRequest, _ body: [UInt8], _ reply: String?, _ nats: NatsConnection
  ) {
    (self.caller, self.request, self.body, self.reply, self.nats) = (caller, request, body, reply, nats)
  }

  /// Sends the answer; does nothing if none is expected.
  package func answer(_ answer: QueueReply, _ body: [UInt8] = []) async {
    guard let reply, let bytes = try? QueueMessage.bytes(answer, body) else { return }
    try? await nats.send(NatsMessage(reply, bytes))
  }
}
