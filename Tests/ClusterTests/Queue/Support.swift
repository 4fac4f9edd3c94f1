import Core
import Foundation
import NatsTestServer
import Synchronization
import Testing

@testable import Cluster

/// Queue for one test, with functions that simulate a power cut.
final class QueueUnderTest: Sendable {
  private let bounds: QueueBounds
  private let folder: String
  private let server: NatsTestServer
  private let name = NatsTestServer.unique("q")
  private let opened: Mutex<JetStreamQueue?>

  static func open(_ change: (inout QueueBounds) -> Void = { _ in }) async throws -> QueueUnderTest {
    var bounds = QueueBounds()
    change(&bounds)
    // A server of its own, since some tests pull its plug.
    let test = try QueueUnderTest(bounds, try await NatsTestServer.start())
    let queue = try await test.another()
    test.opened.withLock { $0 = queue }
    return test
  }

  private init(_ bounds: QueueBounds, _ server: NatsTestServer) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "galley-queue-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    (self.bounds, self.server) = (bounds, server)
    opened = Mutex(nil)
  }

  deinit {
    server.kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var queue: JetStreamQueue {
    guard let queue = opened.withLock({ $0 }) else { preconditionFailure("the queue isn't open") }
    return queue
  }

  /// Queue as another machine uses it.
  var elsewhere: JetStreamQueue { get async throws { try await another() } }

  /// Loses all data that isn't on the disk, and starts again.
  func pullThePlug() async throws {
    server.kill()
    try await server.start()
    let queue = try await another()
    opened.withLock { $0 = queue }
  }

  /// Returns the content store beside the queue.
  func contents() async throws -> JetStreamContents {
    try await JetStreamContents(try await connection(), name: name)
  }

  func connection() async throws -> NatsConnection {
    var settings = try NatsSettings(server.address)
    settings.reconnectWait = .milliseconds(20)
    return try await NatsConnection.connect(settings)
  }

  var names: QueueNames { QueueNames(name) }

  private func another() async throws -> JetStreamQueue {
    var settings = JetStreamQueueSettings()
    settings.bounds = bounds
    return try await JetStreamQueue(try await connection(), name: name, settings: settings)
  }

  /// Writes a file for one test; returns its path.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }
}

/// The code of the fault that a call ends with; nil without one.
func code(of body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch { return (error as? Fault)?.code ?? "\(error)" }
}

extension QueuedJob {
  static func sample(_ id: String, _ change: (inout QueuedJob) -> Void = { _ in }) -> QueuedJob {
    var job = QueuedJob(id: id, owner: "me", content: "creative-\(id)", payload: "{}", created: 1_700_000_000_000)
    change(&job)
    return job
  }
}

extension JetStreamQueue {
  /// Accepts jobs with these ids.
  func add(_ ids: String...) async throws(Fault) {
    for id in ids { _ = try await enqueue(.sample(id), key: nil) }
  }

  /// Leases the next job for a worker with these capabilities; waits for `time` at most.
  func next(
    _ words: Set<String> = [], schemas: Set<Int> = [1], within time: Duration = .seconds(5)
  ) async throws(Fault) -> Lease? {
    try await lease(Capabilities(words, schemas: schemas), as: "worker", within: time)
  }
}
