import Core
import Foundation
import NatsTestServer
import Testing

@testable import Cluster

/// The Python that has another client of NATS; `Scripts/verify-queue` sets it.
private let python = ProcessInfo.processInfo.environment["GALLEY_NATS_PYTHON"]

@Suite(.ownNatsServer, .enabled(if: python != nil, "Scripts/verify-queue has another client of NATS"))
struct OtherClientTests {
  private static let sizes = [0, 1, 131_072, 300_001, 5_000_000]
  private static let client = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scripts/lib/verify/queue/client.py").path()

  private static func sample(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

  /// Makes the other client run an operation on a bucket; returns its output.
  @discardableResult private func call(
    _ verb: String, _ bucket: String, _ name: String, _ bytes: [UInt8] = []
  ) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: NatsTestServer.unique("object")).path()
    try Data(bytes).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let process = Process()
    process.executableURL = URL(filePath: try #require(python))
    process.arguments = [Self.client, try #require(NatsTestServer.current).address, verb, bucket, name, file]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the other client failed to \(verb)")
    return Array(try Data(contentsOf: URL(filePath: file)))
  }

  private func bucket() async throws -> ObjectBucket {
    try await ObjectBucket.open(BucketSettings(NatsTestServer.unique("o")), on: try await connection())
  }

  @Test(arguments: sizes) func readsObjectsOfGalley(_ size: Int) async throws {
    let bucket = try await bucket()
    try await bucket.put("a file/ü =", bytes: Self.sample(size))
    #expect(try call("get-object", bucket.name, "a file/ü =") == Self.sample(size))
  }

  @Test(arguments: sizes) func writesObjectsThatGalleyReads(_ size: Int) async throws {
    let name = NatsTestServer.unique("o")
    try call("put-object", name, "a file/ü =", Self.sample(size))
    let bucket = try await ObjectBucket.open(BucketSettings(name), on: try await connection())
    #expect(try await bucket.bytes("a file/ü =", most: 6_000_000) == Self.sample(size))
    #expect(try await bucket.list(most: 9).objects.map(\.size) == [size])
  }

  @Test func eachTakesThePlaceOfTheOthersObjects() async throws {
    let (bucket, nats) = (try await bucket(), try await connection())
    try await bucket.put("a", bytes: Self.sample(300_000))
    try call("put-object", bucket.name, "a", Self.sample(200_000))
    #expect(try await bucket.bytes("a", most: 300_000) == Self.sample(200_000))
    try await bucket.put("a", bytes: [1])
    #expect(try call("get-object", bucket.name, "a") == [1])
    #expect(try await nats.stateOfStream("OBJ_\(bucket.name)").messages == 2)
    try call("delete-object", bucket.name, "a")
    #expect(try await bucket.info("a") == nil)
  }

  @Test func readsAndWritesValues() async throws {
    let bucket = try await KeyValueBucket.open(BucketSettings(NatsTestServer.unique("b")), on: try await connection())
    try await bucket.put("a.b", [1, 2])
    #expect(try call("get-value", bucket.name, "a.b") == [1, 2])
    try call("put-value", bucket.name, "a.b", [3])
    #expect(try await bucket.get("a.b")?.bytes == [3])
  }
}
