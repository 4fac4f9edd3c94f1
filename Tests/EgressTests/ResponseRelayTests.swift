internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTP1
internal import Testing

@testable internal import Egress

@Suite struct ResponseRelayTests {
  /// A client that takes what is sent to it when it likes.
  private final class SlowClient: ChannelOutboundHandler {
    typealias OutboundIn = Any
    var taken: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if let promise { taken.append(promise) }
    }
  }

  /// A client with half of an answer on its way to it, and its host.
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
