internal import Cluster
internal import Core
internal import Foundation
internal import Logging
internal import Synchronization
internal import Telemetry

/// Answers requests of workers and senders; each of them sees and changes only its own jobs and files.
final class QueueBroker: Sendable {
  /// Maximum number of requests answered concurrently, in total and for one user.
  private static let (width, widthOfOne) = (64, 32)
  /// Maximum time to grant a lease. A slower one is released, because the caller no longer waits for it.
  static let longestLease = Duration.seconds(4)

  let cluster: ClusterConnection
  let store: Store
  let endings: CompletionProcessor
  let files: BrokerFiles
  let key: SigningKey
  let gauges: ServiceGauges
  let log: Logger
  private let underWay = Mutex<[String: Int]>([:])

  init(
    cluster: ClusterConnection, store: Store, endings: CompletionProcessor, scratch: @escaping @Sendable () -> String,
    key: SigningKey,
    gauges: ServiceGauges, log: Logger
  ) {
    (self.cluster, self.store, self.endings, self.key) = (cluster, store, endings, key)
    (self.gauges, self.log) = (gauges, log)
    files = BrokerFiles(server: cluster.requests.server, scratch: scratch)
  }

  /// Answers requests until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.read { () throws(Fault) in try await self.cluster.requests.openShared() } }
      group.addTask { await self.read { () throws(Fault) in try await self.cluster.requests.openOwn() } }
      group.addTask { await self.files.expire() }
    }
  }

  /// Reads requests and answers them concurrently; subscribes again if the subscription is lost.
  private func read(_ open: @Sendable () async throws(Fault) -> RequestReader) async {
    while !Task.isCancelled {
      do throws(Fault) {
        let reader = try await open()
        try await answer(reader)
      } catch {
        if !Task.isCancelled { log.warning("queue requests can't be read", metadata: ["error": "\(error)"]) }
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  private func answer(_ reader: RequestReader) async throws(Fault) {
    let fault = await withTaskGroup(of: Void.self) { group -> Fault? in
      var busy = 0
      while !Task.isCancelled {
        do throws(Fault) {
          let (requests, refused) = try await reader.next()
          for _ in 0..<refused { gauges.refusedRequest("invalid") }
          for request in requests {
            if busy >= Self.width {
              await group.next()
              busy -= 1
            }
            busy += 1
            group.addTask { await self.answer(request) }
          }
        } catch {
          return error
        }
      }
      return nil
    }
    if let fault { throw fault }
  }

  private func answer(_ incoming: IncomingRequest) async {
    let user = "\(incoming.caller.role.rawValue).\(incoming.caller.user)"
    guard enter(user) else {
      gauges.refusedRequest("busy")
      return await incoming.answer(.failed(.engine("nats-busy", "too many requests of \(user) are in progress")))
    }
    defer { leave(user) }
    do throws(Fault) {
      let (reply, body) = try await reply(to: incoming)
      await incoming.answer(reply, body)
    } catch {
      if error.origin == .request { gauges.refusedRequest("forbidden") }
      await incoming.answer(.failed(error))
    }
  }

  private func enter(_ user: String) -> Bool {
    underWay.withLock { counts in
      guard counts[user, default: 0] < Self.widthOfOne else { return false }
      counts[user, default: 0] += 1
      return true
    }
  }

  private func leave(_ user: String) {
    underWay.withLock { counts in
      counts[user, default: 0] -= 1
      if counts[user, default: 0] <= 0 { counts[user] = nil }
    }
  }

  private func reply(to incoming: IncomingRequest) async throws(Fault) -> (QueueReply, [UInt8]) {
    let (caller, request) = (incoming.caller, incoming.request)
    switch request {
    case .keep(let size, let sha256, let ticket):
      let isServed = try isServed(ticket, caller)
      return (try await finish(try await files.begin(size, sha256, isServed, incoming.body, caller), caller), [])
    case .append(let transfer, let offset):
      let state = try await files.append(incoming.body, to: transfer, at: offset, for: caller)
      return (try await finish(state, caller), [])
    case .piece(let transfer, let offset):
      return (.done, try await files.piece(of: transfer, at: offset, for: caller))
    default: break
    }
    switch caller.role {
    case .worker: return try await replyToWorker(request, caller)
    case .sender: return try await replyToSender(request, caller)
    }
  }

  static func forbidden(_ caller: QueueCaller) -> Fault {
    .request("queue-request-forbidden", "a \(caller.role.rawValue) may not send this request")
  }
}
