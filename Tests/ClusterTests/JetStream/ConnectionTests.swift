import Core
import Foundation
import NatsTestServer
import Testing

@testable import Cluster

/// A connection to the suite's server.
func connection(_ change: (inout NatsSettings) -> Void = { _ in }) async throws -> NatsConnection {
  let server = try #require(NatsTestServer.current)
  return try await connection(to: server, change)
}

func connection(
  to server: NatsTestServer, _ change: (inout NatsSettings) -> Void = { _ in }
) async throws -> NatsConnection {
  var settings = try NatsSettings(server.address)
  settings.timeout = .seconds(3)
  settings.reconnectWait = .milliseconds(20)
  change(&settings)
  return try await NatsConnection.connect(settings)
}

/// Opens several connections, as of programs that start together.
func connections(_ count: Int) async throws -> [NatsConnection] {
  var all: [NatsConnection] = []
  for _ in 0..<count { all.append(try await connection()) }
  return all
}

@Suite(.ownNatsServer) struct ConnectionTests {
  @Test func asksAndAnswers() async throws {
    let nats = try await connection()
    #expect(nats.isConnected)
    #expect(nats.largestMessage == 1_048_576)
    let subject = NatsTestServer.unique("echo")
    let subscription = try await Subscription.open(subject, on: nats)
    async let reply = nats.request(NatsMessage(subject, [1, 2], headers: ["A": "b"]))
    let question = try #require(try await subscription.next(within: .seconds(3)))
    #expect(question.headers == ["A": "b"])
    try await nats.send(NatsMessage(try #require(question.reply), question.bytes + [3]))
    #expect(try await reply.bytes == [1, 2, 3])
    #expect(try await subscription.next(within: .milliseconds(20)) == nil)
  }

  @Test(arguments: ["nats:/a", "http://a", "", " , ", "nats://a b\u{7}", "nats://"])
  func refusesWhatIsNoAddress(_ list: String) async {
    #expect(await code { _ = try NatsSettings(list) } == "nats-argument-invalid")
  }

  @Test func takesSeveralAddresses() throws {
    #expect(try NatsSettings("nats://a:1, tls://b:2").servers == ["nats://a:1", "tls://b:2"])
    #expect(try NatsSettings("nats://a").tls == nil)
    #expect(try NatsSettings("nats://a,tls://b").tls != nil)
  }

  @Test func saysThatNobodyIsThere() async throws {
    #expect(
      await code { _ = try await NatsConnection.connect(NatsSettings("nats://127.0.0.1:1")) } == "nats-unreachable")
  }

  @Test func namesNoPasswordOfAnAddress() async throws {
    do {
      _ = try await NatsConnection.connect(NatsSettings("nats://me:secret@127.0.0.1:1"))
    } catch {
      #expect(error.message.contains("nats://127.0.0.1:1"))
      #expect(!error.message.contains("secret"))
    }
  }

  @Test func findsAnotherServerOfTheList() async throws {
    let nats = try await connection { $0.servers.insert("nats://127.0.0.1:1", at: 0) }
    #expect(nats.isConnected)
  }

  @Test func saysThatNobodyAnswers() async throws {
    let nats = try await connection()
    #expect(await code { _ = try await nats.request(NatsMessage("nobody.listens")) } == "nats-unavailable")
    let subject = NatsTestServer.unique("mute")
    let subscription = try await Subscription.open(subject, on: nats)
    let begin = ContinuousClock.now
    #expect(
      await code { _ = try await nats.request(NatsMessage(subject), timeout: .milliseconds(50)) } == "nats-timed-out")
    #expect(ContinuousClock.now - begin < .seconds(2))
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: ["", "a b", "a\r\nPUB x 1"])
  func refusesSubjectsThatAreNone(_ subject: String) async throws {
    let nats = try await connection()
    #expect(await code { try await nats.send(NatsMessage(subject)) } == "nats-argument-invalid")
  }

  @Test func refusesHeadersOfTwoLines() async throws {
    let nats = try await connection()
    let message = NatsMessage("a", headers: ["A": "b\r\nC: d"])
    #expect(await code { try await nats.send(message) } == "nats-argument-invalid")
  }

  @Test func refusesWhatIsTooLarge() async throws {
    let nats = try await connection()
    let message = NatsMessage("a", [UInt8](repeating: 0, count: 2_000_000))
    #expect(await code { try await nats.send(message) } == "nats-too-large")
  }

  @Test func isClosedForGood() async throws {
    let nats = try await connection()
    let events = nats.events
    await nats.close()
    #expect(await code { try await nats.send(NatsMessage("a")) } == "nats-closed")
    for await event in events { #expect(event == .closed) }
    #expect(!nats.isConnected)
  }

  @Test func sendsWhatWaitsWhenItCloses() async throws {
    let (nats, other) = (try await connection(), try await connection())
    let subject = NatsTestServer.unique("last")
    let subscription = try await Subscription.open(subject, on: other)
    for number in 0..<500 { try await nats.send(NatsMessage(subject, "\(number)")) }
    await nats.close()
    var count = 0
    while try await subscription.next(within: .milliseconds(count == 500 ? 10 : 3000)) != nil { count += 1 }
    #expect(count == 500)
  }

  @Test func blocksNoOtherCall() async throws {
    let nats = try await connection { $0.width = 2 }
    let silent = try await Subscription.open(NatsTestServer.unique("silent"), on: nats)
    async let waiting = silent.next(within: .seconds(4))
    let begin = ContinuousClock.now
    try await nats.flush()
    #expect(ContinuousClock.now - begin < .seconds(3))
    #expect(try await waiting == nil)
  }

  @Test func hundredCallsAtATimeAllEnd() async throws {
    let nats = try await connection()
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<100 { group.addTask { await code { try await nats.flush() } } }
      for await code in group { #expect(code == nil) }
    }
  }
}

@Suite struct LostConnectionTests {
  @Test func comesBackByItself() async throws {
    let server = try await NatsTestServer.start()
    let nats = try await connection(to: server)
    var events = nats.events.makeAsyncIterator()
    server.kill()
    #expect(await events.next() == .lost)
    #expect(await code { _ = try await nats.request(NatsMessage("a"), timeout: .milliseconds(100)) } != nil)
    try await server.start()
    #expect(await events.next() == .found(server.address))
    try await nats.flush()
  }

  @Test func saysThatWhatWaitsIsTooMuch() async throws {
    let server = try await NatsTestServer.start()
    let nats = try await connection(to: server) { $0.buffer = 10_000 }
    var events = nats.events.makeAsyncIterator()
    server.kill()
    _ = await events.next()
    let message = NatsMessage("a", [UInt8](repeating: 0, count: 4000))
    var last: String?
    for _ in 0..<10 where last == nil { last = await code { try await nats.send(message) } }
    #expect(last == "nats-buffer-full")
  }

  @Test func endsWaitsOfAServerThatHangs() async throws {
    let server = try await NatsTestServer.start()
    let nats = try await connection(to: server) { $0.timeout = .milliseconds(300) }
    server.freeze()
    let begin = ContinuousClock.now
    let last = await code { try await nats.publish(NatsMessage("a")) }
    #expect(["nats-timed-out", "nats-disconnected"].contains(last))
    #expect(ContinuousClock.now - begin < .seconds(5))
    server.thaw()
  }
}
