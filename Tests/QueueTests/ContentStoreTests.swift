import Core
import Foundation
import JetStream
import Synchronization
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

  /// Contents that a server knows of only when it is asked for the third time.
  private final class LateContents: ContentStore {
    let asked = Mutex(0)

    func get(_ hash: String, to file: String) async throws(Fault) {
      try ContentFile.check(hash)
      let times = asked.withLock { count in
        count += 1
        return count
      }
      if times < 3 { throw ContentFile.missing(hash) }
    }
    func put(file: String) async throws(Fault) -> String { "" }
    func has(_ hash: String) async throws(Fault) -> Bool { false }
    func remove(_ hash: String) async throws(Fault) {}
    func expire(before timestamp: Int64) async throws(Fault) -> Int { 0 }
  }

  @Test(arguments: [(patience: Duration.zero, asked: 1), (.seconds(60), 3)])
  func whatIsSaidToBeMissingIsAskedForAgain(patience: Duration, asked: Int) async throws {
    let (store, hash) = (LateContents(), String(repeating: "a", count: 64))
    let code = await code { try await store.getKept(hash, to: "/nowhere", patience: patience) }
    #expect(code == (asked == 3 ? nil : "content-missing"))
    #expect(store.asked.withLock { $0 } == asked)
  }

  @Test func whatIsNoHashIsAskedForOnce() async throws {
    let (store, begun) = (LateContents(), ContinuousClock.now)
    #expect(await code { try await store.getKept("ABC", to: "/nowhere", patience: .seconds(60)) } == "content-missing")
    #expect(store.asked.withLock { $0 } == 0)
    #expect(begun.duration(to: .now) < .seconds(60))
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
