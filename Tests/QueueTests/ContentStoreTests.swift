import Core
import Foundation
import JetStream
import Testing

@testable import Queue

/// What every store of contents does, whatever keeps it.
@Suite struct ContentStoreTests {
  private static func sample(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

  @Test(arguments: Adapter.allCases, [0, 1, 131_072, 700_001])
  func keepsContentsByTheirHash(_ adapter: Adapter, _ size: Int) async throws {
    let test = try await QueueUnderTest.open(adapter)
    let store = try await test.contents()
    let bytes = Self.sample(size)
    let hash = SHA256.of(bytes).hex
    #expect(try await store.has(hash) == false)
    #expect(await code { try await store.get(hash, to: test.path("none")) } == "content-missing")
    #expect(try await store.put(file: test.file("one", bytes)) == hash)
    #expect(try await store.put(file: test.file("two", bytes)) == hash)
    #expect(try await store.has(hash))
    try await store.get(hash, to: test.path("back"))
    #expect(FileManager.default.contents(atPath: test.path("back")) == Data(bytes))
    try await store.remove(hash)
    try await store.remove(hash)
    #expect(try await store.has(hash) == false)
  }

  @Test(arguments: Adapter.allCases) func forgetsWhatNobodyAskedFor(_ adapter: Adapter) async throws {
    let test = try await QueueUnderTest.open(adapter)
    let store = try await test.contents()
    let hash = try await store.put(file: test.file("one", [1, 2, 3]))
    let now = Int64(Bounded.int(Date.now.timeIntervalSince1970 * 1000, in: 0...Int.max))
    #expect(try await store.expire(before: now - 60_000) == 0)
    #expect(try await store.has(hash))
    #expect(try await store.expire(before: now + 60_000) == 1)
    #expect(try await store.has(hash) == false)
  }

  @Test(arguments: Adapter.allCases, ["", "../../etc/passwd", "ABC", String(repeating: "g", count: 64)])
  func refusesWhatIsNoHash(_ adapter: Adapter, _ hash: String) async throws {
    let test = try await QueueUnderTest.open(adapter)
    let store = try await test.contents()
    #expect(await code { _ = try await store.has(hash) } == "content-missing")
    #expect(await code { try await store.remove(hash) } == "content-missing")
    #expect(await code { try await store.get(hash, to: test.path("x")) } == "content-missing")
  }

  @Test func whatHasLostItsPiecesIsKeptAgain() async throws {
    let test = try await QueueUnderTest.open(.jetStream)
    let store = try await test.contents()
    let file = try test.file("one", [1, 2, 3])
    let hash = try await store.put(file: file)
    // The one piece comes first, then what is said of it.
    try await test.connection().purge("OBJ_\(test.names.contents)", through: 1)
    #expect(await code { try await store.get(hash, to: test.path("broken")) } == "content-broken")
    #expect(try await store.has(hash) == false)
    #expect(try await store.put(file: file) == hash)
    try await store.get(hash, to: test.path("back"))
    #expect(FileManager.default.contents(atPath: test.path("back")) == Data([1, 2, 3]))
  }

  @Test(arguments: Adapter.allCases) func whatIsSaidToBeMissingIsAskedForAgain(_ adapter: Adapter) async throws {
    let test = try await QueueUnderTest.open(adapter)
    let store = try await test.contents()
    let file = try test.file("late", [1, 2, 3])
    let hash = try await store.put(file: file)
    try await store.remove(hash)
    #expect(await code { try await store.getKept(hash, to: test.path("gone"), patience: .zero) } == "content-missing")
    async let found: Void = store.getKept(hash, to: test.path("found"), patience: .seconds(30))
    #expect(try await store.put(file: file) == hash)
    try await found
    #expect(FileManager.default.contents(atPath: test.path("found")) == Data([1, 2, 3]))
    // What is no hash won't be there later either.
    #expect(await code { try await store.getKept("ABC", to: test.path("x"), patience: .seconds(30)) } == "content-missing")
  }

  /// Removing such an object leaves what was written as it was.
  @Test(.timeLimit(.minutes(1))) func forgettingEndsWhateverOthersWroteUnderAnotherName() async throws {
    let test = try await QueueUnderTest.open(.jetStream)
    let (store, nats) = (try await test.contents(), try await test.connection())
    let foreign = Array(#"{"name": "another", "nuid": "N", "size": 0, "chunks": 0}"#.utf8)
    for number in 0...1_000 { try await nats.publish(NatsMessage("$O.\(test.names.contents).M.x\(number)", foreign)) }
    let hash = try await store.put(file: test.file("one", [1, 2, 3]))
    #expect(try await store.expire(before: .max) == 1_002)
    #expect(try await store.has(hash) == false)
  }

  @Test(arguments: Adapter.allCases) func overwritesNoFile(_ adapter: Adapter) async throws {
    let test = try await QueueUnderTest.open(adapter)
    let store = try await test.contents()
    let hash = try await store.put(file: test.file("one", [1, 2, 3]))
    #expect(await code { try await store.get(hash, to: test.path("one")) } == "output-unwritable")
    #expect(await code { _ = try await store.put(file: test.path("missing")) } == "data-failed")
  }
}
