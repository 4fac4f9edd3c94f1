internal import Core
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import Testing

@testable internal import NetworkProxy

@Suite struct EgressProxyTests {
  private static let home = AddressPolicy(allowed: [AddressBlock("127.0.0.1")].compactMap { $0 })
  private static let page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nKeep-Alive: timeout=5\r\n\r\nhello"

  @Test func anAllowedHostIsAskedAndAnswers() async throws {
    let host = try await LoopbackHost.start(answering: Self.page)
    let proxy = try await EgressProxy.start(policy: Self.home)
    let request = "GET http://127.0.0.1:\(host.port)/a?b HTTP/1.1\r\nHost: x\r\nProxy-Connection: Keep-Alive\r\n\r\n"
    let answer = try await converse(port: proxy.port, [request], until: "hello")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("hello"))
    #expect(answer.contains("Connection: close"))
    #expect(!answer.contains("Keep-Alive"))
    let seen = await host.requests.first { _ in true }
    #expect(seen == "GET /a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    await proxy.stop()
    await host.stop()
  }

  @Test func aBodyGoesToTheHostWhole() async throws {
    let host = try await LoopbackHost.start(answering: Self.page)
    let proxy = try await EgressProxy.start(policy: Self.home)
    let request = "POST http://127.0.0.1:\(host.port)/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
    _ = try await converse(port: proxy.port, [request], until: "hello")
    let seen = await host.requests.first { _ in true }
    #expect(seen?.contains("Content-Length: 3") == true)
    await proxy.stop()
    await host.stop()
  }

  @Test func aTunnelCarriesBytesBothWays() async throws {
    let host = try await LoopbackHost.start(answering: "first;")
    let proxy = try await EgressProxy.start(policy: Self.home)
    let answer = try await converse(
      port: proxy.port, ["CONNECT 127.0.0.1:\(host.port) HTTP/1.1\r\n\r\n", "any\r\n\r\n", "second;"], until: "second;")
    #expect(answer == "HTTP/1.1 200 Connection established\r\n\r\nfirst;second;")
    await proxy.stop()
    await host.stop()
  }

  /// Sends an answer that exceeds every buffer on the way.
  @Test(arguments: [true, false]) func aLongAnswerComesWhole(tunnelled: Bool) async throws {
    let body = String(repeating: "0123456789abcdef", count: 500_000)
    let host = try await LoopbackHost.start(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count + 1)\r\n\r\n\(body);")
    let proxy = try await EgressProxy.start(policy: Self.home)
    let address = "127.0.0.1:\(host.port)"
    let lines =
      tunnelled
      ? ["CONNECT \(address) HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"]
      : ["GET http://\(address)/ HTTP/1.1\r\nHost: x\r\n\r\n"]
    let answer = try await converse(port: proxy.port, lines, until: ";")
    #expect(answer.utf8.count > body.utf8.count)
    #expect(answer.hasSuffix("\(body.suffix(100));"))
    await proxy.stop()
    await host.stop()
  }

  @Test func aWebSocketInTheClearGetsItsUpgrade() async throws {
    let host = try await LoopbackHost.start(answering: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
    let proxy = try await EgressProxy.start(policy: Self.home)
    let request =
      "GET http://127.0.0.1:\(host.port)/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    let answer = try await converse(port: proxy.port, [request, "frame"], until: "frame")
    #expect(answer == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nframe")
    let seen = await host.requests.first { _ in true }
    #expect(seen?.hasPrefix("GET /ws HTTP/1.1\r\n") == true)
    await proxy.stop()
    await host.stop()
  }

  @Test(arguments: [
    "127.0.0.1", "localhost", "LOCALHOST", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0",
    "[::1]", "[::ffff:127.0.0.1]", "0x7f.0.0.1",
  ]) func noSpellingLeadsToThisMachine(spelling: String) async throws {
    let host = try await LoopbackHost.start(answering: Self.page)
    let refused = Mutex<[EgressRefusal]>([])
    let proxy = try await EgressProxy.start(policy: AddressPolicy()) { refusal in
      refused.withLock { $0.append(refusal) }
    }
    let tunnel = try await converse(
      port: proxy.port, ["CONNECT \(spelling):\(host.port) HTTP/1.1\r\n\r\n"], until: "\n\n")
    let request = "GET http://\(spelling):\(host.port)/ HTTP/1.1\r\nHost: x\r\n\r\n"
    let plain = try await converse(port: proxy.port, [request], until: "\n\n")
    #expect(tunnel.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
    #expect(tunnel.contains("\(EgressProxy.refusalHeader): loopback"))
    // A page is to find what it finds where no proxy is: nobody who answers.
    #expect(plain.isEmpty)
    #expect(refused.withLock { $0.map(\.code) } == ["loopback", "loopback"])
    await proxy.stop()
    await host.stop()
  }

  /// Resolves no name without the network, since a lookup could send data to the name's server.
  @Test(arguments: [true, false]) func withTheNetworkOffNoNameIsAskedFor(allowsThisMachine: Bool) async throws {
    let host = try await LoopbackHost.start(answering: Self.page)
    let asked = Mutex<[String]>([])
    let resolver = HostResolver { name, port in
      asked.withLock { $0.append(name) }
      return HostResolver.lookUp(name, port)
    }
    let blocks = allowsThisMachine ? [AddressBlock("127.0.0.0/8")].compactMap { $0 } : []
    let proxy = try await EgressProxy.start(policy: .only(blocks), resolver: resolver)
    for name in ["secret.evil.example", "127.secret.evil.example", "localhost.evil.example", "1.1.1.1", "[::1]"] {
      let answer = try await converse(
        port: proxy.port, ["CONNECT \(name):\(host.port) HTTP/1.1\r\n\r\n"], until: "\n\n")
      #expect(answer.contains("\(EgressProxy.refusalHeader): offline"), "\(name)")
    }
    for name in ["127.0.0.1", "localhost", "LOCALHOST", "2130706433"] {
      let answer = try await converse(
        port: proxy.port, ["GET http://\(name):\(host.port)/ HTTP/1.1\r\nHost: x\r\n\r\n"], until: "hello")
      #expect(answer.hasSuffix("hello") == allowsThisMachine, "\(name)")
    }
    #expect(asked.withLock { $0 } == [])
    await proxy.stop()
    await host.stop()
  }

  @Test func anUnknownNameIsSaidToBeUnknown() async throws {
    let proxy = try await EgressProxy.start(policy: AddressPolicy())
    let answer = try await converse(
      port: proxy.port, ["CONNECT no-such-host.invalid:443 HTTP/1.1\r\n\r\n"], until: "\n\n")
    #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
    #expect(answer.contains("\(EgressProxy.refusalHeader): unknown-host"))
    await proxy.stop()
  }

  @Test func aHostThatDoesNotListenIsUnreachable() async throws {
    let host = try await LoopbackHost.start(answering: "")
    await host.stop()
    let proxy = try await EgressProxy.start(policy: Self.home)
    let answer = try await converse(
      port: proxy.port, ["CONNECT 127.0.0.1:\(host.port) HTTP/1.1\r\n\r\n"], until: "\n\n")
    #expect(answer.contains("\(EgressProxy.refusalHeader): unreachable"))
    await proxy.stop()
  }

  @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n"])
  func whatIsNoProxyRequestIsRefused(request: String) async throws {
    let proxy = try await EgressProxy.start(policy: Self.home)
    let answer = try await converse(port: proxy.port, [request], until: "\n\n")
    #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    await proxy.stop()
  }
}

/// Host on this machine that sends one answer after a request's head, and records what it receives.
final class LoopbackHost: Sendable {
  let port: Int
  let requests: AsyncStream<String>
  private let channel: any Channel

  private init(channel: any Channel, requests: AsyncStream<String>) {
    self.channel = channel
    self.requests = requests
    port = channel.localAddress?.port ?? 0
  }

  /// Starts a host that sends `answer`, leaves closing to the other side, and then echoes what it receives.
  static func start(answering answer: String) async throws -> LoopbackHost {
    let (requests, seen) = AsyncStream<String>.makeStream()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { child in
        child.eventLoop.makeCompletedFuture {
          try child.pipeline.syncOperations.addHandler(Answering(answer: answer, seen: seen))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return LoopbackHost(channel: channel, requests: requests)
  }

  func stop() async { try? await channel.close() }
}

private final class Answering: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let answer: String
  private let seen: AsyncStream<String>.Continuation
  private var text = ""
  private var hasAnswered = false

  init(answer: String, seen: AsyncStream<String>.Continuation) {
    self.answer = answer
    self.seen = seen
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    guard !hasAnswered else { return context.writeAndFlush(data, promise: nil) }
    text += String(buffer: bytes)
    guard text.contains("\r\n\r\n") else { return }
    hasAnswered = true
    seen.yield(text)
    context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
  }
}

/// Sends `lines` to a port of this machine, each after the answer to the previous one.
///
/// Returns all data received until the other side closed or `end` arrived.
func converse(port: Int, _ lines: [String], until end: String) async throws -> String {
  let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
    host: "127.0.0.1", port: port
  ) { channel in
    channel.eventLoop.makeCompletedFuture {
      try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
    }
  }
  return try await channel.executeThenClose { inbound, outbound in
    var rest = lines[...]
    if let first = rest.popFirst() { try await outbound.write(ByteBuffer(string: first)) }
    var text = ""
    for try await bytes in inbound {
      text += String(buffer: bytes)
      if let next = rest.popFirst() { try await outbound.write(ByteBuffer(string: next)) }
      if text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) || end == "\n\n" && text.contains(end) { break }
    }
    return text
  }
}
