internal import NIOCore
internal import NIOHTTP1

/// Takes a host's one response to the client, framed anew, and ends both connections after it.
final class ResponseRelay: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let client: any Channel
  private var hasEnded = false
  /// What was sent last, taken by the client.
  private var sent: EventLoopFuture<Void>?

  init(client: any Channel) { self.client = client }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(var head):
      head.headers.removeHops()
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      send(.head(head))
    case .body(let bytes): send(.body(.byteBuffer(bytes)))
    case .end(let trailers):
      hasEnded = true
      send(.end(trailers))
      leaveClient()
      context.close(promise: nil)
    }
  }

  /// A response that breaks off does so for the client as well.
  func channelInactive(context: ChannelHandlerContext) {
    if !hasEnded { leaveClient() }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    client.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
  }

  private func send(_ part: HTTPServerResponsePart) { sent = client.writeAndFlush(part) }

  /// Ends the connection; what a slow client hasn't taken by then would be lost with it.
  private func leaveClient() {
    guard let sent else { return client.close(promise: nil) }
    sent.whenComplete { [client] _ in client.close(promise: nil) }
  }
}
