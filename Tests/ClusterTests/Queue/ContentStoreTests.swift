import Core
import Foundation
import Synchronization
import Testing

@testable import Cluster

/// Behaviour of the content store.
@Suite struct ContentStoreTests {
  private static func sample(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

  @Test(arguments: [0, 1, 131_072, 700_001])
  func keepsContentsByTheirHash(_ size: Int) async throws {
    let test = try await QueueUnderTest.open()
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

  @Test func forgetsWhatNobodyAskedFor() async throws {
    let test = try await QueueUnderTest.open()
    let store = try await test.contents()
    let hash = try await store.put(file: test.file("one", [1, 2, 3]))
    let now = Int64(Bounded.int(Date.now.timeIntervalSince1970 * 1000, in: 0...Int.max))
    #expect(try await store.expire(before: now - 60_000) == 0)
    #expect(try await store.has(hash))
    #expect(try await store.expire(before: now + 60_000) == 1)
    #expect(try await store.has(hash) == false)
  }

  @Test(arguments: ["", "../../etc/passwd", "ABC", String(repeating: "g", count: 64)])
  func refusesWhatIsNoHash(_ hash: String) async throws {
    let test = try await QueueUnderTest.open()
    let store = try await test.contents()
    #expect(await code { _ = try await store.has(hash) } == "content-missing")
    #expect(await code { try await store.remove(hash) } == "content-missing")
    #expect(await code { try await store.get(hash, to: test.path("x")) } == "content-missing")
  }

  @Test(arguments: [3, 300_000]) func whatHasLostAPieceIsKeptAgain(size: Int) async throws {
    let test = try await QueueUnderTest.open()
    let store = try await test.contents()
    let bytes = Self.sample(size)
    let file = try test.file("one", bytes)
    let hash = try await store.put(file: file)
    // The pieces come first, then their description.
    try await test.connection().purge("OBJ_\(test.names.contents)", through: 1)
    #expect(await code { try await store.get(hash, to: test.path("broken")) } == "content-broken")
    #expect(try await store.has(hash) == false)
    #expect(try await store.put(file: file) == hash)
    try await store.get(hash, to: test.path("back"))
    #expect(FileManager.default.contents(atPath: test.path("back")) == Data(bytes))
  }

  @Test(arguments: [(patience: Duration.zero, asked: 1), (.seconds(60), 3)])
  func missingContentsAreRequestedAgain(patience: Duration, asked: Int) async throws {
    let times = Mutex(0)
    let hash = String(repeating: "a", count: 64)
    let code = await code {
      try await JetStreamContents.whenKnown(within: patience) { () throws(Fault) in
        // The server knows them only at the third request.
        let count = times.withLock { count in
          count += 1
          return count
        }
        if count < 3 { throw ContentFile.missing(hash) }
      }
    }
    #expect(code == (asked == 3 ? nil : "content-missing"))
    #expect(times.withLock { $0 } == asked)
  }

  @Test func anInvalidHashIsRequestedOnce() async throws {
    let times = Mutex(0)
    let begun = ContinuousClock.now
    let code = await code {
      try await JetStreamContents.whenKnown(within: .seconds(60)) { () throws(Fault) in
        times.withLock { $0 += 1 }
        try ContentFile.check("ABC")
      }
    }
    #expect(code == "content-missing" && times.withLock { $0 } == 1)
    #expect(begun.duration(to: .now) < .seconds(60))
  }

  /// Expires contents beside objects of other clients under other names, whose removal leaves their metadata unchanged.
  @Test(.timeLimit(.minutes(1))) func forgettingEndsWhateverOthersWroteUnderAnotherName() async throws {
    let test = try await QueueUnderTest.open()
    let (store, nats) = (try await test.contents(), try await test.connection())
    let foreign = Array(#"{"name": "another", "nuid": "N", "size": 0, "chunks": 0}"#.utf8)
    for number in 0...1_000 { try await nats.publish(NatsMessage("$O.\(test.names.contents).M.x\(number)", foreign)) }
    let hash = try await store.put(file: test.file("one", [1, 2, 3]))
    #expect(try await store.expire(before: .max) == 1_002)
    #expect(try await store.has(hash) == false)
  }

  @Test func overwritesNoFile() async throws {
    let test = try await QueueUnderTest.open()
    let store = try await test.contents()
    let hash = try await store.put(file: test.file("one", [1, 2, 3]))
    #expect(await code { try await store.get(hash, to: test.path("one")) } == "output-unwritable")
    #expect(await code { _ = try await store.put(file: test.path("missing")) } == "data-failed")
  }
}
