import Core
import Foundation
import JetStream
import NatsTestServer
import Synchronization
import Testing

@testable import Queue

/// What keeps the queue under test.
enum Adapter: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case embedded, jetStream
  var testDescription: String { rawValue }
}

/// A queue of a test's own, and what it takes to pull the plug on it.
final class QueueUnderTest: Sendable {
  private let adapter: Adapter
  private let bounds: QueueBounds
  private let folder: String
  private let server: NatsTestServer?
  private let name = NatsTestServer.unique("q")
  private let opened: Mutex<(any RenderQueue)?>

  static func open(
    _ adapter: Adapter, _ change: (inout QueueBounds) -> Void = { _ in }
  ) async throws -> QueueUnderTest {
    var bounds = QueueBounds()
    change(&bounds)
    // A server of its own, since some tests pull its plug.
    let server = adapter == .jetStream ? try await NatsTestServer.start() : nil
    let test = try QueueUnderTest(adapter, bounds, server)
    let queue = try await test.another()
    test.opened.withLock { $0 = queue }
    return test
  }

  private init(_ adapter: Adapter, _ bounds: QueueBounds, _ server: NatsTestServer?) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "galley-queue-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    (self.adapter, self.bounds, self.server) = (adapter, bounds, server)
    opened = Mutex(nil)
  }

  deinit {
    server?.kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var queue: any RenderQueue {
    guard let queue = opened.withLock({ $0 }) else { preconditionFailure("the queue isn't open") }
    return queue
  }

  /// The queue as another machine has it; on one machine there is only one.
  var elsewhere: any RenderQueue { get async throws { adapter == .embedded ? queue : try await another() } }

  /// Loses what isn't on the disk, and begins anew.
  func pullThePlug() async throws {
    if let server {
      server.kill()
      try await server.start()
    } else {
      await queue.close()
    }
    let queue = try await another()
    opened.withLock { $0 = queue }
  }

  /// The contents beside the queue.
  func contents() async throws -> any ContentStore {
    switch adapter {
    case .embedded: try FileContents("\(folder)/contents")
    case .jetStream: try await JetStreamContents(try await connection(), name: name)
    }
  }

  func connection() async throws -> NatsConnection {
    var settings = try NatsSettings(server?.address ?? "nats://127.0.0.1:1")
    settings.reconnectWait = .milliseconds(20)
    return try await NatsConnection.connect(settings)
  }

  var names: QueueNames { QueueNames(name) }

  private func another() async throws -> any RenderQueue {
    switch adapter {
    case .embedded: return try await EmbeddedQueue(folder: folder, bounds: bounds)
    case .jetStream:
      var settings = JetStreamQueueSettings()
      settings.bounds = bounds
      return try await JetStreamQueue(try await connection(), name: name, settings: settings)
    }
  }

  /// A file of a test's own.
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

extension RenderQueue {
  /// Accepts jobs of these ids.
  func add(_ ids: String...) async throws(Fault) {
    for id in ids { _ = try await enqueue(.sample(id), key: nil) }
  }

  /// The next job for a worker that can do these things; waits for seconds at most.
  func next(
    _ words: Set<String> = [], schemas: Set<Int> = [1], within time: Duration = .seconds(5)
  ) async throws(Fault) -> Lease? {
    try await lease(Capabilities(words, schemas: schemas), as: "worker", within: time)
  }
}
