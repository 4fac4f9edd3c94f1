internal import Core
internal import Glibc
internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTP1
internal import Testing

@testable internal import NetworkProxy

/// Back pressure of the proxy: the network holds unsent data of a client, not the worker's memory.
@Suite(.timeLimit(.minutes(1))) struct BackPressureTests {
  /// Number of bytes that exceeds the connections' own buffers.
  private static let body = 96_000_000

  @Test func aHostThatIsStillSoughtDoesNotFillTheMemory() async throws {
    let patient = Patience()
    let proxy = try await EgressProxy.start(
      policy: AddressPolicy(),
      resolver: HostResolver { _, _ in
        patient.wait()
        return []
      })
    let sent = try await Self.send(Self.body, to: "slow.example", port: 80, by: proxy.port)
    #expect(sent < Self.body / 2, "\(sent)")
    patient.end()
    await proxy.stop()
  }

  @Test func aHostThatTakesNothingDoesNotFillTheMemory() async throws {
    let host = try DeafHost()
    let proxy = try await EgressProxy.start(
      policy: AddressPolicy(allowed: [AddressBlock("127.0.0.1")].compactMap { $0 }))
    let sent = try await Self.send(Self.body, to: "127.0.0.1", port: host.port, by: proxy.port)
    #expect(sent > 0 && sent < Self.body / 2, "\(sent)")
    withExtendedLifetime(host) {}
    await proxy.stop()
  }

  /// Posts bytes until all are taken, or none for half a second; returns the number taken.
  @concurrent private static func send(_ count: Int, to host: String, port: Int, by proxy: Int) async throws -> Int {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    var address = loopback(UInt16(proxy))
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0)
    let head = Array("POST http://\(host):\(port)/ HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n".utf8)
    try #require(write(client, head, head.count) == head.count)
    try #require(fcntl(client, F_SETFL, O_NONBLOCK) == 0)
    let chunk = [UInt8](repeating: 7, count: 65_536)
    var sent = 0
    while sent < count {
      var ready = pollfd(fd: client, events: Int16(POLLOUT), revents: 0)
      guard poll(&ready, 1, 500) == 1 else { break }
      let taken = Glibc.send(client, chunk, min(chunk.count, count - sent), Int32(MSG_NOSIGNAL))
      guard taken > 0 else { break }
      sent += taken
    }
    return sent
  }
}

/// Port of this machine that accepts connections and reads nothing.
private final class DeafHost {
  private let listener: Int32
  let port: Int

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (descriptor, size) = (listener, length)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 4) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    try #require(isListening)
  }

  deinit { close(listener) }
}

private func loopback(_ port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return address
}

/// Pipe whose end another thread waits for.
private final class Patience: Sendable {
  private let reader: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    (reader, writer) = (ends[0], ends[1])
  }

  /// Blocks until `end`.
  func wait() {
    var byte: UInt8 = 0
    _ = read(reader, &byte, 1)
  }

  func end() { close(writer) }

  deinit { close(reader) }
}

@Suite struct ResponseRelayTests {
  /// Client that completes writes at a time of its choice.
  private final class SlowClient: ChannelOutboundHandler {
    typealias OutboundIn = Any
    var taken: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if let promise { taken.append(promise) }
    }
  }

  /// Creates a client that has been sent half of an answer, and its host.
  private func exchange(_ slow: SlowClient) throws -> (client: EmbeddedChannel, host: EmbeddedChannel) {
    let client = EmbeddedChannel(handler: slow)
    try client.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let host = EmbeddedChannel(handler: ResponseRelay(client: client))
    try host.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 2)).wait()
    try host.writeInbound(HTTPClientResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
    try host.writeInbound(HTTPClientResponsePart.body(ByteBuffer(string: "half")))
    return (client, host)
  }

  @Test(arguments: [true, false]) func aSlowClientIsLeftOnlyOnceItHasTakenAllThatCame(breaksOff: Bool) throws {
    let slow = SlowClient()
    let (client, host) = try exchange(slow)
    if breaksOff { try host.close().wait() } else { try host.writeInbound(HTTPClientResponsePart.end(nil)) }
    client.embeddedEventLoop.run()
    #expect(client.isActive)
    for promise in slow.taken { promise.succeed() }
    client.embeddedEventLoop.run()
    #expect(!client.isActive)
    #expect(slow.taken.count == (breaksOff ? 2 : 3))
  }
}
