import Foundation
import GRDB
import Logging
import RenderModel
import TestFolders

@testable import Cluster
@testable import Service
@testable import Telemetry

extension WebService {
  /// Creates a service that renders nothing, with a folder of its own and settings modified by `change`.
  static func sample(
    _ scratch: TestFolder? = nil, _ change: (inout ServiceSettings) -> Void = { _ in },
    ready: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> WebService {
    let scratch = try scratch ?? TestFolder()
    var settings = ServiceSettings(
      host: "127.0.0.1", port: 0, data: scratch.path, jobs: 1, worker: "/worker", executable: "/galley")
    change(&settings)
    var data = try DataFolder(scratch.path)
    let store = try Store(folder: scratch.path)
    let parts = try await ClusterServices.sample(store, &data)
    let (gauges, renderEvents) = (ServiceGauges(), RenderEvents())
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let authenticator = try Authenticator(settings.tokens.map { TokenFile($0) })
    let reviews = ReviewDesk.sample(store, data)
    let scheduler: any RenderScheduling =
      if let parts {
        ClusterScheduler(
          parts, settings: settings, store: store, data: data, reviews: reviews, renderEvents: renderEvents,
          gauges: gauges, log: log, webhookIsDue: {})
      } else {
        LocalScheduler(
          settings: settings, store: store, data: data, reviews: reviews, renderEvents: renderEvents, gauges: gauges,
          log: log, webhookIsDue: {})
      }
    let renders = RenderAPI(
      scheduler: scheduler, store: store, data: data, renderEvents: renderEvents, authenticator: authenticator,
      gauges: gauges, bounds: settings.bounds, allowsPrivate: false)
    let baselines = BaselineAPI(
      store: store, data: data, bounds: settings.bounds, approver: reviews.approver, reviews: reviews)
    let diffs = DiffAPI(renders: renders, baselines: baselines, shelf: DiffStore(data))
    let sessions = Sessions(
      authenticator: authenticator, store: store.sessions, key: try SigningKey(file: "\(data.path)/session-key"))
    let connections = ConnectionSupervisor(settings.bounds.connections, front: settings.front, gauges: gauges)
    let (library, links) = (
      try PageLibrary(), try ShareLinks(file: "\(data.path)/share-key", mostDays: settings.shareDays)
    )
    return WebService(
      settings: settings, sessions: sessions, connections: connections, gauges: gauges, renders: renders,
      operations: OperationsAPI(scheduler: scheduler, store: store, gauges: gauges), diffs: diffs,
      reviews: ReviewAPI(renders: renders, baselines: baselines, desk: reviews),
      shares: ShareAPI(renders: renders, library: library, links: links, base: settings.publicAddress),
      pages: PageAPI(
        library: library, renders: renders, diffs: diffs, desk: reviews, sessions: sessions, front: settings.front,
        mayShare: links.areOn),
      log: log, ready: ready)
  }
}

extension ClusterServices {
  /// The queue that servers of tests share, where the run of the tests names one: then all of them are such servers.
  static let address = ProcessInfo.processInfo.environment["GALLEY_TEST_QUEUE"]

  /// Connects a test's server to a queue of its own; nil where servers don't share one. The server follows the journal
  /// itself.
  static func sample(_ store: Store, _ data: inout DataFolder) async throws -> ClusterServices? {
    guard let address else { return nil }
    var settings = ClusterSettings(try NatsSettings(address), holder: "test")
    // Who opens the same folder again has the same queue.
    settings.name = "s" + data.path.filter { $0.isHexDigit }.suffix(16)
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let key = try SigningKey(file: "\(data.path)/cluster-key")
    let parts = try await ClusterServices.join(try await ClusterConnection.open(settings), key, store, &data, log: log)
    Task { await parts.replica.run() }
    return parts
  }
}

extension ReviewDesk {
  /// Creates a review desk without notifications.
  static func sample(_ store: Store, _ data: DataFolder) -> ReviewDesk {
    ReviewDesk(store: store, data: data, approver: Approver(data), base: nil, webhookIsDue: {})
  }
}

extension NewRender {
  /// A render that differs from others in what is given.
  static func sample(
    _ id: String, owner: String = "a", created: Int64 = 1000, name: String = "banner", key: String? = nil,
    fingerprint: String = "f"
  ) -> NewRender {
    NewRender(
      id: id, name: name, content: "c-\(id)", request: "{}", owner: owner, created: created,
      idempotency: key.map { Idempotency(key: $0, fingerprint: fingerprint) })
  }
}

extension RenderCompletion {
  static func completed(at timestamp: Int64) -> RenderCompletion {
    RenderCompletion(status: .completed, finished: timestamp)
  }
}

extension RenderCompletion.Message {
  /// Creates a message to an address of a receiver.
  static func sample(_ id: String, address: String? = nil, receiver: String = "example.com") -> RenderCompletion.Message
  {
    RenderCompletion.Message(id: id, address: address ?? "https://\(receiver)/", receiver: receiver, body: "{}")
  }
}

extension Store {
  /// Every render's id.
  func ids() async throws -> Set<String> { try await read { try String.fetchSet($0, sql: "SELECT id FROM render") } }

  /// Makes every change of a table fail, as on a full disk.
  func breakDown(_ table: String = "render") async throws {
    try await write { db in
      for what in ["UPDATE", "INSERT"] {
        try db.execute(
          sql: "CREATE TRIGGER broken\(what) BEFORE \(what) ON \(table) BEGIN SELECT RAISE(ABORT, 'no room'); END")
      }
    }
  }

  /// Restores the table's changes after `breakDown`.
  func recover() async throws {
    try await write { db in for what in ["UPDATE", "INSERT"] { try db.execute(sql: "DROP TRIGGER broken\(what)") } }
  }

  /// Changes the database to the form of a later version of Galley.
  func grow() async throws {
    try await write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('later')") }
  }
}
