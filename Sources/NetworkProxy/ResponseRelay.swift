internal import NIOCore
internal import NIOHTTP1

/// Relays a host's single response to the client, framed anew, and then closes both connections.
final class ResponseRelay: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let client: any Channel
  private var hasEnded = false
  /// Completion of the latest write to the client.
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

  /// Closes the client's connection too if the response breaks off.
  func channelInactive(context: ChannelHandlerContext) {
    if !hasEnded { leaveClient() }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    client.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
  }

  private func send(_ part: HTTPServerResponsePart) { sent = client.writeAndFlush(part) }

  /// Closes the client's connection after the latest write has completed, so that a slow client loses nothing.
  private func leaveClient() {
    guard let sent else { return client.close(promise: nil) }
    sent.whenComplete { [client] _ in client.close(promise: nil) }
  }
}

/// One end of a pair that forwards everything its channel reads to the other's channel, no faster than that accepts it.
final class GlueHandler: ChannelDuplexHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = NIOAny
  typealias OutboundOut = NIOAny

  private var partner: GlueHandler?
  private var context: ChannelHandlerContext?
  private var wantsToRead = false

  /// Returns two ends, for two channels of one loop.
  static func pair() -> (GlueHandler, GlueHandler) {
    let (one, other) = (GlueHandler(), GlueHandler())
    (one.partner, other.partner) = (other, one)
    return (one, other)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    partner = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { partner?.context?.write(data, promise: nil) }

  func channelReadComplete(context: ChannelHandlerContext) {
    partner?.context?.flush()
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    partner?.context?.close(promise: nil)
    context.fireChannelInactive()
  }

  /// Closes only the partner's output if this side has ended its input, since it may still receive.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed {
      partner?.context?.close(mode: .output, promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { partner?.readAfterAll() }
    context.fireChannelWritabilityChanged()
  }

  func read(context: ChannelHandlerContext) {
    if partner?.context?.channel.isWritable == true {
      context.read()
    } else {
      wantsToRead = true
    }
  }

  /// Resumes reading after the other side can accept data again.
  private func readAfterAll() {
    guard wantsToRead else { return }
    wantsToRead = false
    context?.read()
  }
}
