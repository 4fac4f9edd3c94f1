import Core
import NatsTestServer
import Synchronization
import Testing

@testable import Cluster

@Suite(.ownNatsServer) struct KeyValueTests {
  private func bucket(_ change: (inout BucketSettings) -> Void = { _ in }) async throws -> KeyValueBucket {
    var settings = BucketSettings(NatsTestServer.unique("b"))
    change(&settings)
    return try await KeyValueBucket.open(settings, on: try await connection())
  }

  @Test func keepsTheLatest() async throws {
    let bucket = try await bucket()
    #expect(try await bucket.get("a") == nil)
    #expect(try await bucket.glance("a") == nil)
    #expect(try await bucket.put("a", [1]) == 1)
    #expect(try await bucket.put("a", [2]) == 2)
    let entry = try #require(try await bucket.get("a"))
    #expect((entry.bytes, entry.revision, entry.key) == ([2], 2, "a"))
    #expect(entry.timestamp > 1_600_000_000_000)
    // One server keeps it: that has everything.
    let glanced = try #require(try await bucket.glance("a"))
    #expect((glanced.bytes, glanced.revision, glanced.key) == ([2], 2, "a"))
    #expect(try await bucket.put("a", []) == 3)
    #expect(try await bucket.get("a")?.bytes == [])
    try await bucket.remove("a")
    #expect(try await bucket.glance("a") == nil)
  }

  @Test func isUpdatedByWhoKnowsTheLatestOnly() async throws {
    let bucket = try await bucket()
    let first = try await bucket.create("a", [1])
    #expect(await code { try await bucket.create("a", [9]) } == "nats-revision-differs")
    let second = try await bucket.update("a", [2], revision: first)
    #expect(await code { try await bucket.update("a", [9], revision: first) } == "nats-revision-differs")
    #expect(try await bucket.get("a")?.revision == second)
    try await bucket.remove("a")
    #expect(try await bucket.get("a") == nil)
    #expect(await code { try await bucket.update("a", [9], revision: second) } == "nats-revision-differs")
    try await bucket.create("a", [3])
    #expect(try await bucket.get("a")?.bytes == [3])
  }

  @Test func oneOfManyWritersWins() async throws {
    let bucket = try await bucket()
    let revision = try await bucket.put("a", [0])
    let codes = await withTaskGroup(of: String?.self) { group in
      for number in UInt8(1)...20 {
        group.addTask { await code { try await bucket.update("a", [number], revision: revision) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.count { $0 == nil } == 1)
    #expect(codes.count { $0 == "nats-revision-differs" } == 19)
  }

  /// Creates a bucket many times at once, as servers and workers do that start together.
  @Test func isMadeByManyAtOnce() async throws {
    let connections = try await connections(8)
    for _ in 1...100 {
      let settings = BucketSettings(NatsTestServer.unique("b"))
      try await withThrowingTaskGroup { group in
        for nats in connections { group.addTask { _ = try await KeyValueBucket.open(settings, on: nats) } }
        try await group.waitForAll()
      }
    }
  }

  @Test func listsItsKeys() async throws {
    let bucket = try await bucket()
    #expect(try await bucket.keys() == [])
    for key in ["b", "a.c", "gone"] { try await bucket.put(key, [1]) }
    try await bucket.remove("gone")
    #expect(try await bucket.keys().sorted() == ["a.c", "b"])
  }

  @Test func tellsWhatIsThereAndWhatChanges() async throws {
    let bucket = try await bucket()
    try await bucket.put("a.x", [1])
    try await bucket.put("b.x", [1])
    let watch = try await bucket.watch("a.*")
    guard case .entry(let entry) = try await watch.next(within: .seconds(3)) else {
      Issue.record("nothing is told")
      return
    }
    #expect((entry.key, entry.bytes, entry.revision) == ("a.x", [1], 1))
    #expect(try await watch.next(within: .seconds(3)) == .caughtUp)
    #expect(try await watch.next(within: .milliseconds(30)) == .nothing)
    try await bucket.put("b.x", [2])
    try await bucket.put("a.y", [2])
    try await bucket.remove("a.x")
    guard case .entry(let changed) = try await watch.next(within: .seconds(3)),
      case .entry(let removed) = try await watch.next(within: .seconds(3))
    else {
      Issue.record("changes aren't told")
      return
    }
    #expect((changed.key, changed.bytes) == ("a.y", [2]))
    #expect((removed.key, removed.bytes) == ("a.x", nil))
  }

  @Test func forgetsWithAge() async throws {
    let bucket = try await bucket { $0.age = .milliseconds(500) }
    try await bucket.put("a", [1])
    let end = ContinuousClock.now + .seconds(10)
    while try await bucket.get("a") != nil, ContinuousClock.now < end {}
    #expect(try await bucket.get("a") == nil)
  }

  @Test(arguments: ["", "a b", "a..b", ".a", "a.*"])
  func refusesWhatIsNoKey(_ key: String) async throws {
    let bucket = try await bucket()
    #expect(await code { try await bucket.put(key, [1]) } == "nats-argument-invalid")
    #expect(await code { _ = try await bucket.get(key) } == "nats-argument-invalid")
  }
}

@Suite(.ownNatsServer) struct ObjectTests {
  private func bucket() async throws -> (ObjectBucket, NatsConnection) {
    let nats = try await connection()
    return (try await ObjectBucket.open(BucketSettings(NatsTestServer.unique("o")), on: nats), nats)
  }

  private static func sample(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

  @Test(arguments: [0, 1, 131_071, 131_072, 131_073, 1_000_000])
  func keepsContentsOfAnySize(_ size: Int) async throws {
    let (bucket, nats) = try await bucket()
    let bytes = Self.sample(size)
    let info = try await bucket.put("a file/with = and ü", bytes: bytes)
    #expect((info.size, info.chunks) == (size, (size + 131_071) / 131_072))
    #expect(try await bucket.bytes("a file/with = and ü", most: 2_000_000) == bytes)
    let found = try #require(try await bucket.info("a file/with = and ü"))
    #expect((found.digest, found.nuid) == (info.digest, info.nuid))
    #expect(try await nats.stateOfStream("OBJ_\(bucket.name)").messages == UInt64(info.chunks + 1))
  }

  @Test func putsPiecesOfAnySizeTogether() async throws {
    let (bucket, _) = try await bucket()
    let pieces = Pieces([1, 200_000, 0, 131_072, 5].map(Self.sample))
    let info = try await bucket.put("a") { () throws(Fault) in pieces.next() }
    #expect((info.size, info.chunks) == (331_078, 3))
    #expect(try await bucket.bytes("a", most: 400_000) == [1, 200_000, 0, 131_072, 5].flatMap(Self.sample))
  }

  /// Reads as in a cluster, where any server that stores a stream may answer, and one may be behind.
  @Test func isReadWhereAServerThatIsBehindAnswers() async throws {
    let (bucket, nats) = try await bucket()
    // It keeps what comes for a tenth of a second, and then has nothing.
    let behind = #"""
      {"name":"behind-\#(bucket.name)","storage":"file","retention":"limits","discard":"old","num_replicas":1,
      "max_age":100000000,"allow_rollup_hdrs":true,"mirror":{"name":"OBJ_\#(bucket.name)"},
      "mirror_direct":true,"allow_direct":true}
      """#
    let made = try await nats.request(NatsMessage("$JS.API.STREAM.CREATE.behind-\(bucket.name)", behind))
    #expect(!String(decoding: made.bytes, as: UTF8.self).contains("error"))
    try await bucket.put("small", bytes: Self.sample(600))
    try await bucket.put("large", bytes: Self.sample(400_000))
    // It takes its share of questions after a moment.
    let (pieces, end) = ("$O.\(bucket.name).C.>", ContinuousClock.now + .seconds(5))
    while try await nats.stateOfStream("behind-\(bucket.name)").messages > 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    var missed = false
    while !missed, ContinuousClock.now < end {
      missed = try await nats.message(of: "OBJ_\(bucket.name)", from: 1, subject: pieces) == nil
    }
    #expect(missed)
    for _ in 0..<20 {
      #expect(try await bucket.bytes("small", most: 1000) == Self.sample(600))
      #expect(try await bucket.bytes("large", most: 500_000) == Self.sample(400_000))
    }
  }

  @Test func takesThePlaceOfWhatWasThere() async throws {
    let (bucket, nats) = try await bucket()
    try await bucket.put("a", bytes: Self.sample(300_000))
    try await bucket.put("a", bytes: [1, 2, 3])
    #expect(try await bucket.bytes("a", most: 10) == [1, 2, 3])
    #expect(try await nats.stateOfStream("OBJ_\(bucket.name)").messages == 2)
  }

  @Test func leavesNothingOfWhatFailed() async throws {
    let (bucket, nats) = try await bucket()
    try await bucket.put("a", bytes: [1])
    let pieces = Pieces([Self.sample(300_000)])
    let failing = await code {
      try await bucket.put("a") { () throws(Fault) in
        guard let piece = pieces.next() else { throw .engine("disk-full", "no room") }
        return piece
      }
    }
    #expect(failing == "disk-full")
    #expect(try await bucket.bytes("a", most: 10) == [1])
    #expect(try await nats.stateOfStream("OBJ_\(bucket.name)").messages == 2)
  }

  @Test func removesAndLists() async throws {
    let (bucket, nats) = try await bucket()
    for name in ["a", "b", "c"] { try await bucket.put(name, bytes: Self.sample(200_000)) }
    try await bucket.remove("b")
    try await bucket.remove("b")
    try await bucket.remove("never there")
    #expect(try await bucket.info("b") == nil)
    #expect(await code { _ = try await bucket.bytes("b", most: 10) } == "nats-object-missing")
    #expect(try await bucket.list(most: 10).objects.map(\.name) == ["a", "c"])
    try await bucket.touch(try #require(try await bucket.info("a")))
    #expect(try await bucket.list(most: 10).objects.map(\.name) == ["c", "a"])
    let first = try await bucket.list(most: 1)
    #expect(first.objects.map(\.name) == ["c"])
    let rest = try await bucket.list(most: 1, from: try #require(first.next))
    #expect(rest.objects.map(\.name) == ["a"] && rest.next == nil)
    let latest = try #require(try await bucket.info("a")).timestamp
    #expect(try await bucket.list(most: 10, writtenBefore: latest).objects.map(\.name) == ["c"])
    #expect(try await bucket.list(most: 10, writtenBefore: latest + 1).objects.map(\.name) == ["c", "a"])
    #expect(try await bucket.list(most: 10, writtenBefore: 0).objects.isEmpty)
    #expect(try await bucket.bytes("a", most: 200_000).count == 200_000)
    #expect(try await nats.stateOfStream("OBJ_\(bucket.name)").messages == 7)
  }

  @Test func noticesWhatIsBroken() async throws {
    let (bucket, nats) = try await bucket()
    let info = try await bucket.put("a", bytes: Self.sample(300_000))
    try await nats.removeMessage(2, of: "OBJ_\(bucket.name)")
    #expect(await code { _ = try await bucket.bytes("a", most: 400_000) } == "nats-object-broken")
    // A piece of the right length and other bytes.
    let other = try await bucket.put("b", bytes: [1, 2, 3])
    let last = try await nats.stateOfStream("OBJ_\(bucket.name)").lastSequence
    try await nats.removeMessage(last - 1, of: "OBJ_\(bucket.name)")
    try await nats.publish(NatsMessage("$O.\(bucket.name).C.\(other.nuid)", [1, 2, 4]))
    #expect(await code { _ = try await bucket.bytes("b", most: 10) } == "nats-object-broken")
    #expect(info.chunks == 3)
  }

  @Test func refusesMoreThanIsWanted() async throws {
    let (bucket, _) = try await bucket()
    try await bucket.put("a", bytes: Self.sample(200_000))
    #expect(await code { _ = try await bucket.bytes("a", most: 199_999) } == "nats-too-large")
  }
}

/// Pieces that are returned one after the other.
private final class Pieces: Sendable {
  private let all: Mutex<[[UInt8]]>

  init(_ pieces: [[UInt8]]) { all = Mutex(pieces.reversed()) }

  func next() -> [UInt8]? { all.withLock { $0.popLast() } }
}
