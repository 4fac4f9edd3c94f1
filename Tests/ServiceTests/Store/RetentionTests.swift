import Foundation
import Logging
import ServiceStore
import Testing

@testable import Service

@Suite struct RetentionTests {
  private let scratch: Scratch
  private let data: DataFolder
  private let store: Store

  /// Three renders of ten bytes that ended at 100, 200 and 300, and one that runs.
  init() async throws {
    scratch = try Scratch()
    data = try DataFolder(scratch.path)
    store = try Store(folder: scratch.path)
    for (id, end) in [("a", 100), ("b", 200), ("c", 300), ("runs", nil)] as [(String, Int64?)] {
      _ = try await store.accept(.sample(id, created: 1))
      try BlobStore(data.blobs).adopt(try scratch.write("renders/\(id)/file", "0123456-\(id.prefix(2))"))
      if let end { _ = try await store.end(id, .completed(at: end)) }
    }
  }

  private func kept(days: Double = 1, bytes: Int64 = 1000, at instant: Int64) async throws -> [String] {
    try await Retention(
      store: store, data: data, days: days, bytes: bytes, losses: 3,
      log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ).look(at: instant)
    return try FileManager.default.contentsOfDirectory(atPath: data.renders).sorted()
  }

  @Test func removesWhatIsTooOld() async throws {
    #expect(try await kept(at: 86_400_000 + 250) == ["c", "runs"])
    #expect(try await store.ids() == ["c", "runs"])
  }

  @Test func removesTheOldestUntilTheRestIsSmallEnough() async throws {
    #expect(try await kept(bytes: 0, at: 1000) == ["runs"])
  }

  @Test func forgetsOldLossesOfWhatIsStillTried() async throws {
    for (content, deaths) in [("tried", 2), ("quarantined", 3)] {
      for death in 1...deaths {
        let loss = Loss(
          content: content, recipe: "r", render: "c", cause: "\(death)", reason: "killed", instant: Int64(death))
        _ = try await store.count(loss)
      }
    }
    _ = try await kept(at: 1000)
    #expect(try await store.quarantine().count == 2)
    _ = try await kept(at: 86_400_000 + 250)
    #expect(try await store.quarantine().map(\.content) == ["quarantined"])
  }

  @Test func leavesAloneWhatIsWithinItsBounds() async throws {
    #expect(try await kept(at: 1000) == ["a", "b", "c", "runs"])
  }
}
