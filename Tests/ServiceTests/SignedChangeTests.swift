import Comparison
import Core
import Foundation
import NatsTestServer
import TestFolders
import Testing

@testable import Cluster
@testable import Scheduling
@testable import Service

/// Changes of the journal: their authors, and the objects that they may name.
@Suite struct ChangeTextTests {
  private let key = SigningKey(Array(repeating: 7, count: 32))
  private let id = RenderID.make(at: 1)

  private func bytes(_ change: some StoreChange) throws -> [UInt8] {
    try ChangeText.bytes(change, ticket: "t", after: 5, key: key)
  }

  @Test func isReadAsItWasWritten() throws {
    let read = try #require(try ChangeText.read(try bytes(ForgetRender(id: id)), key: key))
    #expect((read.change as? ForgetRender)?.id == id)
    #expect((read.ticket, read.after) == ("t", 5))
  }

  @Test func nobodyElseCanWriteOne() throws {
    let good = try bytes(ForgetRender(id: id))
    let end = try #require(good.firstIndex(of: 10))
    var changed = good
    changed[good.count - 3] ^= 1
    let foreign = try ChangeText.bytes(
      ForgetRender(id: id), ticket: "t", after: 5, key: SigningKey(Array(repeating: 8, count: 32)))
    let others: [[UInt8]] = [
      [], [10], Array("nonsense".utf8), Array(good[(end + 1)...]), [10] + good[(end + 1)...], changed, foreign,
      Array(good.dropLast()), good + [32], Array(repeating: 48, count: 64) + good[end...],
      Array(#"{"version":9,"kind":"forget","ticket":"t"}"#.utf8),
    ]
    for bytes in others {
      #expect(try ChangeText.read(bytes, key: key) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// Reads a signed change of a later version of Galley, which mustn't be skipped.
  @Test func aLaterFormIsSaid() throws {
    let text = Array(#"{"version":9,"kind":"later","ticket":"t","after":1}"#.utf8)
    let signed = Array(key.signature("change", text).utf8) + [10] + text
    #expect(throws: Fault.self) { try ChangeText.read(signed, key: key) }
  }

  @Test(arguments: ["../../canary", "", ".", "..", "a/b", "0123456789ABCDEFGHJKMNPQRS", "x"])
  func namesThatArePathsAreNeitherWrittenNorRead(name: String) throws {
    var new = NewRender.sample(id)
    // A file may have many names that no render has.
    new.file = AbsolutePath.isPlainName(name) ? "../\(name)" : name
    let hashes = [name, String(repeating: "g", count: 64)]
    for change in [
      ForgetRender(id: name), RemoveRender(id: name, timestamp: 1), RestoreRender(id: name),
      StartRender(id: name, timestamp: 1), EndRender(id: name, ending: .completed(at: 1)), AcceptRender(new: new),
      SetBaseline(key: .init(creative: "../\(name)", variant: "v"), manifest: nil),
      SetBaseline(key: .init(creative: "c", variant: "../\(name)"), manifest: nil),
      SetBaseline(key: .init(creative: "c", variant: "v"), manifest: hashes[0]),
      KeepComparison(id: "a", parcel: hashes[1]),
      KeepComparison(id: "../\(name)", parcel: String(repeating: "a", count: 64)),
    ] as [any StoreChange] {
      #expect(!change.isSound, "\(change)")
      #expect(throws: Fault.self) { try write(change) }
    }
  }

  private func write(_ change: some StoreChange) throws { _ = try bytes(change) }

  @Test func aSummaryOfAWorkerNamesItsOwnFilesOnly() throws {
    let good =
      #"{"outcome":"completed","pictures":[{"height":1,"name":"001-default","state":"default","width":1}],"states":[]}"#
    let evil = good.replacing("001-default", with: "../../x")
    var outcome = JobResult()
    for (text, isKept) in [(good, true), (evil, false), ("nonsense", false)] {
      outcome.summary = text
      #expect((outcome.bounded.summary != nil) == isKept, "\(text)")
    }
    outcome.seconds = .infinity
    outcome.attempts = -7
    #expect((outcome.bounded.seconds, outcome.bounded.attempts) == (0, 1))
  }

  @Test func aKeyIsMadeOnceAndReadAgain() throws {
    let scratch = try TestFolder()
    let file = "\(scratch.path)/key"
    let made = try SigningKey(file: file)
    #expect(try SigningKey(file: file).fingerprint == made.fingerprint)
    #expect(made.secret("share") != made.secret("sessions") && made.secret("share").count == 32)
    #expect(made.signature("a", "b") != made.signature("c", "b"))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    try Data("c2hvcnQ=".utf8).write(to: URL(filePath: file))
    #expect(throws: Fault.self) { try SigningKey(file: file) }
  }
}

/// Messages that another client wrote into the journal.
@Suite(.timeLimit(.minutes(2))) struct JournalForgeryTests {
  private let scratch: TestFolder
  private let nats: NatsTestServer

  init() async throws {
    scratch = try TestFolder()
    nats = try await NatsTestServer.start()
  }

  @Test func aChangeThatIsSentAgainIsNotMadeAgain() async throws {
    let settings = try NatsSettings(nats.address)
    let server = try await BrokerUnderTest.start(settings, scratch)
    let key = BaselineKey(creative: "c", variant: "v")
    let (first, second) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    try await server.store.commit(SetBaseline(key: key, manifest: first))
    try await server.store.commit(SetBaseline(key: key, manifest: second))
    let forger = try await NatsConnection.connect(settings)
    let old = try await forger.message(of: "galley-journal", from: 1, subject: "galley.journal")
    // What a server signed, once more; the whole journal once more.
    try await forger.publish(NatsMessage("galley.journal", try #require(old).bytes))
    try await forger.publish(NatsMessage("galley.journal", #"{"version":99,"kind":"x","ticket":"y"}"#))
    try await server.parts.replica.catchUp()
    #expect(try await server.store.sharedFiles.baselines().first?.manifest == second)
    #expect(await server.parts.replica.refused == 2)
    #expect(await server.parts.replica.fault == nil)
    try await server.store.commit(SetBaseline(key: key, manifest: nil))
    #expect(try await server.store.sharedFiles.baselines().first?.manifest == nil)
    await server.stop()
  }

  @Test func aServerWithAnotherKeyDoesNotJoin() async throws {
    let settings = try NatsSettings(nats.address)
    let server = try await BrokerUnderTest.start(settings, scratch)
    await #expect(throws: Fault.self) {
      try await BrokerUnderTest.start(settings, scratch, key: 9, folder: "other")
    }
    await server.stop()
  }
}
